import Testing

/// Sites of store pages: what their files say, and what a browser shows of them.
@Suite(.madeSites) struct SiteTests {}

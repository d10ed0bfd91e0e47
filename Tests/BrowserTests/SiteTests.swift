import Testing

/// Tests of the files of sites, and of what a browser displays.
@Suite(.generatedSites) struct SiteTests {}

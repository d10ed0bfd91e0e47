extension DocsPage {
  /// The page's only style sheet, for the hash that a content security policy asks for.
  static let style = """
    :root{color-scheme:light dark;--text:#1b1f24;--muted:#57606a;--ground:#fff;--surface:#f4f6f8;\
    --line:#d5dbe1;--link:#0a5bc4;--get:#0b6b3a;--post:#8a4b00;--required:#a3163a}
    @media(prefers-color-scheme:dark){:root{--text:#e4e8ec;--muted:#a3adb8;--ground:#14171b;\
    --surface:#1d2228;--line:#38414b;--link:#79b1ff;--get:#63d296;--post:#f0b35e;--required:#ff8fa8}}
    *{box-sizing:border-box}
    html{scroll-padding-top:1rem}
    body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,sans-serif;\
    overflow-wrap:break-word}
    .skip{position:absolute;left:-100rem}
    .skip:focus{left:1rem;top:1rem;padding:.5rem;background:var(--ground)}
    .page{max-width:78rem;margin:auto;padding:0 1rem}
    a{color:var(--link)}
    :focus-visible{outline:2px solid var(--link);outline-offset:2px}
    code,pre,.method{font-family:ui-monospace,"Cascadia Code",Menlo,Consolas,"DejaVu Sans Mono",monospace}
    code{font-size:.875em;background:var(--surface);padding:.1em .3em;border-radius:.25rem}
    a code,h3 code,.route code,pre code{background:none;padding:0}
    h1{margin:1.5rem 0 .5rem;font-size:2rem;line-height:1.2}
    h2{margin:3rem 0 .5rem;padding-bottom:.25rem;border-bottom:2px solid var(--line);font-size:1.5rem}
    h3{margin:0 0 .5rem;font-size:1.15rem}
    h4{margin:1.25rem 0 .25rem;font-size:.95rem}
    p{margin:.5rem 0}
    .lead{font-size:1.15rem}
    .version,.note{color:var(--muted);font-size:.875rem;font-weight:400}
    .note code{font-size:1em;overflow-wrap:anywhere}
    .item{margin:1.25rem 0;padding:1rem;border:1px solid var(--line);border-radius:.5rem}
    .method{font-size:.75rem;font-weight:700}
    .get{color:var(--get)}
    .post{color:var(--post)}
    .route{overflow-wrap:anywhere}
    .route .method{margin-right:.5rem;padding:.15rem .45rem;border:1px solid;border-radius:.25rem;\
    font-size:.8rem}
    .table{overflow-x:auto;margin:.5rem 0}
    table{width:100%;border-collapse:collapse;font-size:.925rem}
    th,td{padding:.4rem .6rem .4rem 0;border-bottom:1px solid var(--line);text-align:start;\
    vertical-align:top}
    thead th{color:var(--muted);font-size:.8rem;font-weight:600}
    tbody th{font-weight:400}
    tbody th code{overflow-wrap:normal}
    td:last-child{min-width:14rem}
    .required{display:block;color:var(--required);font-size:.75rem}
    .values{margin:.25rem 0 0;padding-left:1.1rem;font-size:.875rem}
    .response{margin:.5rem 0;padding-left:.75rem;border-left:3px solid var(--line)}
    .others{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:.75rem 0 0;padding:0;list-style:none;\
    font-size:.875rem}
    details{margin:.5rem 0}
    summary{cursor:pointer;font-size:.875rem;color:var(--muted)}
    pre{margin:.5rem 0;padding:.75rem;max-height:30rem;overflow:auto;border-radius:.375rem;\
    background:var(--surface);font-size:.8125rem;line-height:1.45}
    pre code{font-size:1em;unicode-bidi:plaintext}
    nav{padding:1rem 0;border-bottom:1px solid var(--line);font-size:.875rem}
    nav ul{margin:0;padding:0;list-style:none}
    nav li{margin:.2rem 0}
    nav ul ul{margin:0 0 .6rem}
    nav a{text-decoration:none;overflow-wrap:anywhere}
    nav a:hover{text-decoration:underline}
    nav .tag{font-weight:700;color:var(--text)}
    @media(min-width:64rem){.page{display:grid;grid-template-columns:17rem minmax(0,1fr);gap:2.5rem}\
    nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;border:0}}
    @media(max-width:40rem){.item{padding:.75rem}thead{position:absolute;left:-100rem}\
    table,tbody,tr,th,td{display:block}tr{padding:.4rem 0;border-bottom:1px solid var(--line)}\
    tbody th,td{padding:.1rem 0;border:0}td:last-child{min-width:0}.required{display:inline}}
    @media print{nav,.skip{display:none}.page{display:block}.item{break-inside:avoid}}
    """
}

import { sha256 } from "#lib/secrets";

/** URL of the style sheet of `/_site/docs`. */
export const DOCS_STYLE_PATH = "/_site/docs.css";

/** The style sheet of `/_site/docs`. */
export const DOCS_STYLE = `:root{color-scheme:light dark;--ink:#1c1b22;--dim:#56545f;--line:#dcdae2;--paper:#fff;--card:#f7f6fa;--link:#4338ca;
--get:#0f6b47;--post:#1d4ed8;--put:#8a4b00;--patch:#6d28d9;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#ecebf2;--dim:#b3b0c0;--line:#3a3847;--paper:#15141b;--card:#1e1d26;--link:#a5b4fc;
--get:#6ee7b7;--post:#93c5fd;--put:#fcd34d;--patch:#c4b5fd;--delete:#fca5a5}}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;font:1rem/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
a{color:var(--link);text-underline-offset:.15em}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem}
.page{display:grid;gap:2.5rem;max-width:72rem;margin:0 auto;padding:2rem 1.25rem 5rem}
@media(min-width:56rem){.page{grid-template-columns:13rem minmax(0,1fr)}nav{position:sticky;top:2rem;align-self:start;max-height:calc(100vh - 4rem);overflow-y:auto}}
nav ul{list-style:none;margin:.5rem 0;padding:0}nav li{margin:.3rem 0}nav h2{font-size:.85rem;color:var(--dim);margin:0}
h1{font-size:clamp(1.7rem,4vw,2.4rem);line-height:1.15;letter-spacing:-.02em;margin:0 0 .6rem}
h2{font-size:1.25rem;margin:2.4rem 0 .8rem}h3{font-size:1rem;margin:1.2rem 0 .4rem}.lead{color:var(--dim);max-width:44rem;margin:0 0 .6rem}
details{border:1px solid var(--line);border-radius:.6rem;margin:.5rem 0;background:var(--card)}
summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.3rem .8rem;padding:.65rem .9rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}summary .what{color:var(--dim);flex:1 1 16rem}
summary::after{content:"+";font-weight:700;color:var(--dim)}details[open]>summary::after{content:"–"}
details[open]>summary{border-bottom:1px solid var(--line)}.body{padding:.2rem .9rem 1rem}
.method{font:700 .8rem/1 ui-monospace,monospace;min-width:4.2rem;color:var(--ink)}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.patch{color:var(--patch)}.delete{color:var(--delete)}
code,.type{font:.9em ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}.type{color:var(--dim)}
.note{color:var(--dim)}.tree{list-style:none;margin:.3rem 0;padding-left:1rem;border-left:2px solid var(--line)}.tree li{margin:.25rem 0}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.35rem 1rem;margin:.4rem 0}dt{font-weight:600}dd{margin:0}`;

/** Digest of the style sheet, so that its URL changes with its content. */
export const DOCS_STYLE_VERSION = sha256(DOCS_STYLE).slice(0, 10);

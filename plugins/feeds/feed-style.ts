/** Address of the style sheet of feeds. */
export const FEED_STYLE_PATH = "/_site/feed.css";

/**
 * Shows a feed as a page. CSS, not XSLT: browsers remove XSLT, and no policy has to allow it. Addresses
 * are text, because CSS cannot make links.
 */
export const FEED_STYLE = `:root{color-scheme:light dark;background:light-dark(#fdfcf9,#131417);color:light-dark(#1c1b19,#eceae4);font:1.05rem/1.6 system-ui,sans-serif}
rss,feed{display:block;max-width:44rem;margin:0 auto;padding:clamp(1.5rem,6vh,4rem) 1.25rem}
rss::before,feed::before{content:"RSS  ·  Atom";display:block;width:fit-content;margin-bottom:1.5rem;padding:.3rem .9rem;border-radius:2rem;background:light-dark(#e4f1ec,#18302a);color:light-dark(#07503f,#8ae3c8);font-size:.85rem;font-weight:600}
channel{display:block}
channel>title,feed>title{display:block;font-size:clamp(1.8rem,5vw,2.6rem);font-weight:700;line-height:1.15;letter-spacing:-.03em}
channel>description,feed>subtitle{display:block;margin:.6rem 0 2.5rem;color:light-dark(#5f5b53,#a9a69e)}
channel>*,feed>*,item>*,entry>*{display:none}
item,entry{display:block;padding:1.3rem 0;border-top:1px solid light-dark(#e3dfd5,#303238)}
item>title,entry>title{display:block;font-size:1.2rem;font-weight:650;line-height:1.3}
item>link{display:block;color:light-dark(#0b6b57,#62d2b1);font-size:.9rem;overflow-wrap:anywhere}
entry>id{display:block;color:light-dark(#0b6b57,#62d2b1);font-size:.9rem;overflow-wrap:anywhere}
item>pubDate,entry>published{display:block;color:light-dark(#5f5b53,#a9a69e);font-size:.85rem}
item>description,entry>summary{display:block;margin-top:.4rem;overflow-wrap:anywhere}
`;

// The overlay of `site dev`: lists the mistakes of the site. Every text is set as text, never as HTML.
(() => {
  // The site may be served below a path, which its addresses begin with.
  const from = document.currentScript?.src;
  const base = from ? new URL(from).pathname.replace(/\/_site\/.*$/, "") : "";
  const STYLE = `
    :host { all: initial }
    .frame { position: fixed; z-index: 2147483647; inset-inline-start: .75rem; bottom: .75rem; max-width: calc(100vw - 1.5rem);
      font: 15px/1.5 system-ui, sans-serif; color: #f5f5f5 }
    button { font: inherit; color: inherit; background: #7f1d1d; border: 1px solid #fca5a5; border-radius: 6px;
      padding: .3rem .75rem; cursor: pointer; min-height: 2rem }
    button.warning { background: #3f3f46; border-color: #a1a1aa }
    button:focus-visible { outline: 3px solid #93c5fd; outline-offset: 2px }
    .list { box-sizing: border-box; width: min(56rem, calc(100vw - 1.5rem)); max-height: 70vh; overflow: auto; background: #18181b;
      border: 1px solid #71717a; border-radius: 8px; padding: 1rem; margin: 0 0 .5rem }
    h2 { font-size: 17px; margin: 0 0 .5rem } ol { margin: 0; padding: 0; list-style: none }
    li { border-top: 1px solid #3f3f46; padding: .6rem 0; overflow-wrap: anywhere }
    .error .place { color: #fca5a5 } .warning .place { color: #fcd34d }
    .place { font-weight: 700 } p { margin: .1rem 0; white-space: pre-wrap }
    pre { overflow: auto; background: #09090b; padding: .6rem; border-radius: 6px; font: 13px/1.5 ui-monospace, monospace; margin: .4rem 0 }
    @media print { .frame { display: none } }`;
  const CLOSED = "site-dev-closed";
  let host = null;

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className !== undefined) made.className = className;
    return made;
  };

  const item = ({ severity, place, cause, fix, note, excerpt }) => {
    const made = element("li", undefined, severity);
    const heading = place === undefined ? severity : `${severity}: ${place}`;
    made.append(element("p", heading, "place"), element("p", cause));
    if (fix !== undefined) made.append(element("p", `Fix: ${fix}`));
    if (note !== undefined) made.append(element("p", `Note: ${note}`));
    if (excerpt !== undefined) {
      const code = element("pre", excerpt);
      code.tabIndex = 0;
      made.append(code);
    }
    return made;
  };

  const listOf = (mistakes) => {
    const list = element("section", undefined, "list");
    list.id = "list";
    list.tabIndex = 0;
    list.setAttribute("aria-label", "Mistakes");
    const items = element("ol");
    items.append(...mistakes.map(item));
    list.append(element("h2", "Mistakes of this site"), items);
    return list;
  };

  const show = (mistakes) => {
    host?.remove();
    host = null;
    if (mistakes.length === 0) return;
    host = element("site-dev-overlay");
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const errors = mistakes.filter(({ severity }) => severity === "error").length;
    const frame = element("aside", undefined, "frame");
    frame.setAttribute("aria-label", "site dev");
    const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
    const label = `${counted(errors, "error")}, ${counted(mistakes.length - errors, "warning")}`;
    const button = element("button", label, errors > 0 ? "error" : "warning");
    button.type = "button";
    button.setAttribute("aria-controls", "list");
    const list = listOf(mistakes);
    const digest = JSON.stringify(mistakes.map(({ place, cause }) => [place, cause]));
    const set = (isOpen) => {
      list.hidden = !isOpen;
      button.setAttribute("aria-expanded", String(isOpen));
    };
    button.addEventListener("click", () => {
      set(list.hidden);
      if (list.hidden) sessionStorage.setItem(CLOSED, digest);
    });
    frame.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || list.hidden) return;
      button.click();
      button.focus();
    });
    const isUrgent = mistakes.some((mistake) => mistake.isUrgent);
    set(isUrgent && sessionStorage.getItem(CLOSED) !== digest);
    frame.append(list, button);
    root.append(frame);
    document.body.append(host);
  };

  const load = async () => {
    try {
      const response = await fetch(`${base}/_site/problems`);
      if (response.ok) show((await response.json()).mistakes);
    } catch {
      // The site restarts; its pages reload then.
    }
  };
  addEventListener("focus", () => void load());
  void load();
})();

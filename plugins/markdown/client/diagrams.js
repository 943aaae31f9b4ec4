// Shows each Mermaid source as a diagram. Without this script, or if it is malformed, the source stays.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const address = document.querySelector('link[href*="/_site/markdown/diagram.html"]')?.href;
  const isDark = () => {
    const { theme } = root.dataset;
    return theme ? theme === "dark" : dark.matches;
  };

  function show(box) {
    const code = box.querySelector("pre");
    const frame = document.createElement("iframe");
    const source = code.textContent ?? "";
    frame.setAttribute("sandbox", "allow-scripts");
    frame.loading = "lazy";
    frame.src = address;
    frame.title = source.trim().split("\n", 1)[0];
    frame.height = "1";
    const send = () => {
      const font = getComputedStyle(box).fontFamily;
      frame.contentWindow?.postMessage({ source, isDark: isDark(), font }, "*");
    };
    const take = ({ source: sender, data }) => {
      if (sender !== frame.contentWindow || data?.isDiagram !== true) return;
      if (data.isReady) send();
      if (data.error !== undefined) {
        frame.remove();
        code.hidden = false;
      }
      if (data.height > 0) {
        frame.height = String(data.height);
        code.hidden = true;
      }
    };
    addEventListener("message", take);
    new MutationObserver(send).observe(root, { attributeFilter: ["data-theme"] });
    dark.addEventListener("change", send);
    box.append(frame);
  }

  if (address !== undefined) for (const box of document.querySelectorAll(".diagram")) show(box);
})();

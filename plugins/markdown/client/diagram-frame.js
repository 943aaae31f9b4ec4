// Draws one diagram in a frame without an origin, whose policy allows the inline styles of Mermaid.
(() => {
  const { mermaid } = globalThis;
  const tell = (message) => parent.postMessage({ isDiagram: true, ...message }, "*");
  const state = { count: 0 };

  async function draw({ source, isDark, font }) {
    state.count += 1;
    const id = `diagram-${state.count}`;
    document.documentElement.style.colorScheme = isDark ? "dark" : "light";
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      theme: isDark ? "dark" : "default",
      fontFamily: font,
    });
    try {
      const { svg } = await mermaid.render(id, source);
      document.body.innerHTML = svg;
      tell({ height: Math.ceil(document.body.scrollHeight) });
    } catch (error) {
      tell({ error: String(error?.message ?? error) });
    }
  }

  addEventListener("message", ({ source, data }) => {
    if (source === parent && typeof data?.source === "string") void draw(data);
  });
  addEventListener("resize", () => tell({ height: Math.ceil(document.body.scrollHeight) }));
  addEventListener("DOMContentLoaded", () => tell({ isReady: true }));
})();

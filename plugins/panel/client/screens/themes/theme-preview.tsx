import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { showPreview } from "../../parts/show-preview.js";
import type { ThemeDraft } from "./theme-draft.js";
import { t } from "./themes-texts.js";

const WAIT_MS = 400;
const FRAME = "theme-preview";

/** The home page with settings that are not saved. */
export function ThemePreview(props: {
  page: { readonly path: string; readonly content: string };
  draft: ThemeDraft;
}): VNode {
  const { path, content } = props.page;
  const { preset, custom } = props.draft;
  const theme = JSON.stringify({ preset, custom });
  useEffect(() => {
    const timer = setTimeout(() => showPreview(FRAME, { path, content, theme }), WAIT_MS);
    return () => clearTimeout(timer);
  }, [path, content, theme]);
  return (
    <section class="stack-small" aria-label={t("preview")}>
      <h2>{t("preview")}</h2>
      <p class="dim">{t("preview.why")}</p>
      <iframe class="theme-preview" name={FRAME} title={t("preview")} sandbox="allow-same-origin" />
    </section>
  );
}

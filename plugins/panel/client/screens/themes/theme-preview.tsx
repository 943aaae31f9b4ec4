import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { showPreview } from "../../parts/show-preview.js";
import type { ThemeDraft } from "./theme-draft.js";
import { t } from "./themes-texts.js";

const WAIT_MS = 400;
const FRAME = "theme-preview";

/** A page with its text. */
export interface PreviewText {
  readonly path: string;
  readonly content: string;
}

/** A page in the chosen theme, with settings that are not saved. */
export function ThemePreview(props: { page: PreviewText; draft: ThemeDraft }): VNode {
  const { path, content } = props.page;
  const { name, preset, custom } = props.draft;
  const theme = JSON.stringify({ name, preset, custom });
  useEffect(() => {
    const timer = setTimeout(() => showPreview(FRAME, { path, content, theme }), WAIT_MS);
    return () => clearTimeout(timer);
  }, [path, content, theme]);
  return (
    <iframe class="theme-preview" name={FRAME} title={t("preview")} sandbox="allow-same-origin" />
  );
}

import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { hooks } from "../../api/request.js";
import { boot } from "../../boot.js";
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
    const timer = setTimeout(() => showIn({ path, content, theme }), WAIT_MS);
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

/** A form fills the frame, so that the document has the theme's own policy. */
function showIn(values: Readonly<Record<string, string>>): void {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: `${boot.path}/preview`, target: FRAME });
  for (const [name, value] of Object.entries({ ...values, _csrf: hooks.csrfToken })) {
    const field = document.createElement("textarea");
    Object.assign(field, { name, value });
    form.append(field);
  }
  form.hidden = true;
  document.body.append(form);
  form.submit();
  form.remove();
}

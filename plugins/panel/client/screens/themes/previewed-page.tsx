import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { listPages, readPage } from "../../api/content/pages.js";
import { useLoaded } from "../../parts/use-loaded.js";
import type { ThemeDraft } from "./theme-draft.js";
import { ThemePreview, type PreviewText } from "./theme-preview.js";
import { t } from "./themes-texts.js";

const MAX_PAGES = 500;

/** The preview of the home page, or of another one that is chosen. */
export function PreviewedPage({ home, draft }: { home: PreviewText; draft: ThemeDraft }): VNode {
  const [path, setPath] = useState(home.path);
  const pages = useLoaded("pages", () => listPages({ limit: MAX_PAGES }));
  const shown = useLoaded(path, async () =>
    path === home.path ? home : { path, content: (await readPage(path)).data.raw },
  );
  const choices = pages.data?.items.filter(({ isModule }) => !isModule) ?? [];
  return (
    <section class="stack-small" aria-label={t("preview")}>
      <h2>{t("preview")}</h2>
      <p class="dim">{t("preview.why")}</p>
      <label class="row">
        {t("preview.page")}
        <select value={path} onChange={(event) => setPath(event.currentTarget.value)}>
          {choices.map(({ sourcePath, title }) => (
            <option key={sourcePath} value={sourcePath}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <ThemePreview page={shown.data ?? home} draft={draft} />
    </section>
  );
}

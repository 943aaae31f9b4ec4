import type { EditorView } from "@codemirror/view";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { listPages } from "../../../api/pages.js";
import { Dialog } from "../../../parts/dialog.js";
import { useLoaded } from "../../../parts/use-loaded.js";
import { t } from "../editor-texts.js";
import { insertLink } from "./formatting.js";

const MAX_PAGES = 12;

/** Chooses the target of a link: a page of the site, or an address. */
export default function LinkPicker(props: { view(): EditorView | null; onClose(): void }): VNode {
  const [words, setWords] = useState("");
  const pages = useLoaded(words, () => listPages({ q: words, limit: MAX_PAGES }));
  const isAddress = /^(?:https?:\/\/|mailto:|tel:|\/|#)/.test(words.trim());
  const choose = (text: string, url: string): void => {
    props.onClose();
    const view = props.view();
    if (view !== null) queueMicrotask(() => insertLink(view, { text, url }));
  };
  return (
    <Dialog title={t("link.title")} onClose={props.onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = pages.data?.items ?? [];
          if (isAddress) choose(words.trim(), words.trim());
          else if (first !== undefined) choose(first.title, first.route);
        }}
      >
        <label>
          {t("link.search")}
          <input
            type="search"
            autocomplete="off"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
        {isAddress && (
          <button type="submit" class="primary">
            {t("link.use", { url: words.trim() })}
          </button>
        )}
      </form>
      <ul class="plain-list pick-list">
        {(pages.data?.items ?? []).map((page) => (
          <li key={page.sourcePath}>
            <button type="button" class="entry" onClick={() => choose(page.title, page.route)}>
              <span>{page.title}</span>
              <small class="dim">{page.route}</small>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

import type { EditorView } from "@codemirror/view";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../../../parts/dialog.js";
import { useLoaded } from "../../../parts/loading.js";
import { t } from "../editor-texts.js";
import { insertLink } from "./formatting.js";
import { call } from "../../../api/request.js";
import { listLibrary } from "../../../api/media.js";
import type { LibraryItem } from "../../../api/answers.js";

const MAX_PAGES = 12;
const MAX_FILES = 6;
/** Files are searched from this length on: every site has many. */
const FILE_WORD = 2;

interface LinkPickerProps {
  /** Null while the text editor is not on the screen. */
  view(): EditorView | null;
  onClose(): void;
}

/** Chooses the target of a link: a page or a file of the site, or an address. */
export default function LinkPicker(props: LinkPickerProps): VNode {
  const [words, setWords] = useState("");
  const pages = useLoaded(words, () =>
    call("GET /pages", { query: { q: words, limit: MAX_PAGES, languages: "together" } }),
  );
  const isAddress = /^(?:https?:\/\/|mailto:|tel:|\/|#)/.test(words.trim());
  const choose = (text: string, url: string): void => {
    props.onClose();
    const view = props.view();
    if (view !== null) queueMicrotask(() => insertLink(view, text, url));
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
      <ul class="plain-list pick-list" aria-label={t("link.pages")}>
        {(pages.data?.items ?? []).map((page) => (
          <li key={page.sourcePath}>
            <button type="button" class="entry" onClick={() => choose(page.title, page.route)}>
              <span>{page.title}</span>
              <small class="dim">{page.route}</small>
            </button>
          </li>
        ))}
      </ul>
      <Files words={words.trim()} onChoose={choose} />
    </Dialog>
  );
}

interface FilesProps {
  /** Returns what was typed. */
  words: string;
  onChoose(text: string, url: string): void;
}

function Files({ words, onChoose }: FilesProps): VNode | null {
  const files = useLoaded(words, () => filesNamed(words));
  if (files.data === undefined || files.data.length === 0) return null;
  return (
    <ul class="plain-list pick-list" aria-label={t("link.files")}>
      {files.data.map(({ path, name, url }) => (
        <li key={path}>
          <button type="button" class="entry" onClick={() => onChoose(name, plainAddress(url))}>
            <span>{name}</span>
            <small class="dim">{path}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

async function filesNamed(words: string): Promise<readonly LibraryItem[]> {
  if (words.length < FILE_WORD) return [];
  return (await listLibrary({ q: words, limit: MAX_FILES })).items;
}

/** Removes the digest of the current bytes. */
function plainAddress(url: string): string {
  return url.split("?")[0] ?? url;
}

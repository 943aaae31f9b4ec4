import type { ChangeSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../../../parts/dialog.js";
import { useLoaded } from "../../../parts/loading.js";
import { t } from "../editor-texts.js";
import { linkAt, targetChange, unlinkChange, type LinkSource } from "../text/link-source.js";
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

/** Chooses the target of a link: a page or a file of the site, or an address. A link at the cursor gets it. */
export default function LinkPicker(props: LinkPickerProps): VNode {
  // The selection stays where it is while the dialog is open.
  const [link] = useState(() => linkOfSelection(props.view()));
  const [words, setWords] = useState(link?.address ?? "");
  const pages = useLoaded(words, () =>
    call("GET /pages", { query: { q: words, limit: MAX_PAGES, languages: "together" } }),
  );
  const isAddress = /^(?:https?:\/\/|mailto:|tel:|\/|#|\.{1,2}\/)/.test(words.trim());
  const isSame = link !== null && words.trim() === link.address;
  const write = (edit: (view: EditorView) => void): void => {
    props.onClose();
    const view = props.view();
    if (view !== null) queueMicrotask(() => edit(view));
  };
  const choose = (text: string, url: string): void =>
    write((view) => {
      if (link === null) insertLink(view, text, url);
      else change(view, targetChange(link, url));
    });
  const unlink = link === null ? null : unlinkChange(link);
  return (
    <Dialog title={t(link === null ? "link.title" : "link.change")} onClose={props.onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = pages.data?.items ?? [];
          if (isSame) props.onClose();
          else if (isAddress) choose(words.trim(), words.trim());
          else if (first !== undefined) choose(first.title, first.route);
        }}
      >
        <label>
          {t("link.search")}
          <input
            type="text"
            autocomplete="off"
            value={words}
            onFocus={(event) => event.currentTarget.select()}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
        {isAddress && !isSame && (
          <button type="submit" class="primary">
            {t("link.use", { url: words.trim() })}
          </button>
        )}
      </form>
      {unlink !== null && (
        <div class="row">
          <button type="button" onClick={() => write((view) => change(view, unlink))}>
            {t("link.remove")}
          </button>
        </div>
      )}
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

/** The link that has the cursor, or in which all of the selection is. */
function linkOfSelection(view: EditorView | null): LinkSource | null {
  if (view === null) return null;
  const { from, to } = view.state.selection.main;
  const link = linkAt(view.state, from);
  return link !== null && to <= link.to ? link : null;
}

function change(view: EditorView, changes: ChangeSpec | null): void {
  if (changes !== null) view.dispatch({ changes, userEvent: "input.format" });
  view.focus();
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

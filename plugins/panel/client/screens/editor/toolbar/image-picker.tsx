import type { EditorView } from "@codemirror/view";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { done, failed, warnedOfFile } from "../../../app/toasts.js";
import { siteHref } from "../../../boot.js";
import { Dialog } from "../../../parts/dialog.js";
import { Loading, useLoaded } from "../../../parts/loading.js";
import { t } from "../editor-texts.js";
import { mediaAddresses } from "../text/live-markdown.js";
import { escapeText } from "../blocks/picture-source.js";
import { escapeUrl, insertImage } from "./formatting.js";
import { call } from "../../../api/request.js";
import { isPicture, listLibrary, uploadFile } from "../../../api/media.js";
import { FilePicker } from "../../../parts/file-picker.js";

interface ImagePickerProps {
  /** Source path of the page. */
  path: string;
  /** Null while the text editor is not on the screen. */
  view(): EditorView | null;
  onUpload(files: readonly File[]): Promise<void>;
  onClose(): void;
}

const MAX_FOUND = 24;
/** More blanks between paragraphs are not counted. */
const MAX_BLANKS = 200;
/** The library is searched from this length on: every site has many pictures. */
const LIBRARY_WORD = 2;

/** A picture that can be chosen. */
interface Choice {
  readonly key: string;
  readonly name: string;
  /** Where it is, for a picture of another page. */
  readonly place: string;
  readonly url: string;
  readonly alt: string;
  /** The target in the text. */
  readonly target: string;
}

/** Chooses a picture of the page or of the whole site, or uploads some. */
export default function ImagePicker(props: ImagePickerProps): VNode {
  const { path, onUpload, onClose } = props;
  const [words, setWords] = useState("");
  const found = useLoaded(`${path} ${words.trim()}`, () => findPictures(path, words.trim()));
  const choose = ({ target, alt }: Choice): void => {
    onClose();
    const view = props.view();
    if (view === null) return;
    insertImage(view, alt, target);
    queueMicrotask(() => view.focus());
  };
  return (
    <Dialog title={t("image.title")} onClose={onClose}>
      <FilePicker
        label={t("image.upload")}
        accept="image/*"
        multiple
        onFiles={(files) => {
          onClose();
          void onUpload(files);
        }}
      />
      <label>
        {t("image.search")}
        <input
          type="text"
          autocomplete="off"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      <Loading of={found}>
        {(choices) =>
          choices.length === 0 && words !== "" ? (
            <p class="dim">{t("image.none")}</p>
          ) : (
            <ul class="picture-grid">
              {choices.map((choice) => (
                <li key={choice.key}>
                  <button type="button" onClick={() => choose(choice)}>
                    <img src={siteHref(choice.url)} alt="" loading="lazy" />
                    <span>{choice.name}</span>
                    {choice.place !== "" && <small class="dim">{choice.place}</small>}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </Dialog>
  );
}

/** Pictures of the page; with words, those of the whole site that they find, the page's own first. */
async function findPictures(path: string, words: string): Promise<readonly Choice[]> {
  const { items } = await call("GET /media", { query: { path } });
  const sought = words.toLowerCase();
  const own = items
    .filter((item) => isPicture(item) && item.name.toLowerCase().includes(sought))
    .map(({ name, url, meta }) => ({
      key: name,
      name,
      place: "",
      url,
      alt: String(meta["alt"] ?? ""),
      target: name,
    }));
  if (words.length < LIBRARY_WORD) return own;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const library = await listLibrary({ q: words, type: "image", limit: MAX_FOUND });
  const others = library.items
    .filter((item) => item.path !== folder + item.name)
    .map((item) => ({
      key: item.path,
      name: item.name,
      place: item.path.slice(0, -item.name.length - 1),
      url: item.url,
      alt: String(item.meta["alt"] ?? ""),
      // Without the digest of the current bytes.
      target: item.url.split("?")[0] ?? item.url,
    }));
  return [...own, ...others];
}

/** A file that was uploaded to the page. */
interface Uploaded {
  readonly name: string;
  readonly isPicture: boolean;
}

/** Uploads files to the page and reports those that fail; the others can be inserted. */
export async function uploadFiles(path: string, files: readonly File[]): Promise<Uploaded[]> {
  const uploaded: Uploaded[] = [];
  for (const file of files) {
    try {
      const { name, item, warnings } = await uploadFile(path, file);
      if (item !== null) mediaAddresses.add(item);
      warnedOfFile(name, warnings);
      uploaded.push({ name, isPicture: isPicture(item ?? file) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failed(new Error(t("upload.failed", { name: file.name, reason })));
    }
  }
  if (uploaded.length > 0) done(t("upload.done", { n: uploaded.length }));
  return uploaded;
}

/** Inserts uploaded files at the cursor: several pictures stand in paragraphs of their own, other files are links. */
export function insertFiles(view: EditorView, files: readonly Uploaded[]): void {
  const [first, ...others] = files;
  if (first === undefined) return;
  // The file's name would be no description: the picture asks for one.
  if (others.length === 0 && first.isPicture) insertImage(view, "", first.name);
  else insertParagraphs(view, files.map(written));
  view.focus();
}

function written({ name, isPicture: isShown }: Uploaded): string {
  const link = `[${isShown ? "" : escapeText(name, "]")}](${escapeUrl(name)})`;
  return isShown ? `!${link}` : link;
}

/** Inserts paragraphs at the cursor, apart from the words above and below; a single one may stand between words. */
function insertParagraphs(view: EditorView, paragraphs: readonly string[]): void {
  const { doc, selection } = view.state;
  const { from, to } = selection.main;
  const isOne = paragraphs.length === 1;
  const above = doc.sliceString(Math.max(0, from - MAX_BLANKS), from);
  const below = doc.sliceString(to, to + MAX_BLANKS);
  const open = isOne || from === 0 ? "" : missingEnds(/\s*$/.exec(above)?.[0] ?? "");
  const close = isOne || below.trim() === "" ? "" : missingEnds(/^\s*/.exec(below)?.[0] ?? "");
  const text = paragraphs.join("\n\n");
  view.dispatch({
    changes: { from, to, insert: open + text + close },
    selection: { anchor: from + open.length + text.length },
    scrollIntoView: true,
    userEvent: "input.insert",
  });
}

/** The line ends that blanks between words and a paragraph lack. */
function missingEnds(blanks: string): string {
  return "\n".repeat(Math.max(0, 3 - blanks.split("\n").length));
}

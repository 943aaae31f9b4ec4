import type { EditorView } from "@codemirror/view";
import type { VNode } from "preact";
import { done, failed, warnedOfFile } from "../../../app/toasts.js";
import { siteHref } from "../../../boot.js";
import { Dialog } from "../../../parts/dialog.js";
import { Loading, useLoaded } from "../../../parts/loading.js";
import { t } from "../editor-texts.js";
import { mediaAddresses } from "../text/live-markdown.js";
import { insertImage } from "./formatting.js";
import { call } from "../../../api/request.js";
import { uploadFile } from "../../../api/media.js";

interface ImagePickerProps {
  /** Source path of the page. */
  path: string;
  /** Null while the text editor is not on the screen. */
  view(): EditorView | null;
  onUpload(files: readonly File[]): Promise<void>;
  onClose(): void;
}

/** Chooses a picture of the page, or uploads one. */
export default function ImagePicker(props: ImagePickerProps): VNode {
  const { path, onUpload, onClose } = props;
  const media = useLoaded(path, () => call("GET /media", { query: { path } }));
  const choose = (name: string, alt: string): void => {
    onClose();
    const view = props.view();
    if (view === null) return;
    insertImage(view, alt, name);
    queueMicrotask(() => view.focus());
  };
  return (
    <Dialog title={t("image.title")} onClose={onClose}>
      <label>
        {t("image.upload")}
        <input
          type="file"
          accept="image/*"
          multiple
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            onClose();
            void onUpload(files);
          }}
        />
      </label>
      <Loading of={media}>
        {({ items }) => (
          <ul class="picture-grid">
            {items
              .filter(({ type }) => type.startsWith("image/"))
              .map(({ name, url, meta }) => (
                <li key={name}>
                  <button type="button" onClick={() => choose(name, String(meta["alt"] ?? ""))}>
                    <img src={siteHref(url)} alt="" loading="lazy" />
                    <span>{name}</span>
                  </button>
                </li>
              ))}
          </ul>
        )}
      </Loading>
    </Dialog>
  );
}

/** Uploads files to the page and reports those that fail; the others can be inserted. */
export async function uploadPictures(
  path: string,
  files: readonly File[],
): Promise<{ alt: string; url: string }[]> {
  const uploaded: { alt: string; url: string }[] = [];
  for (const file of files) {
    try {
      const { name, item, warnings } = await uploadFile(path, file);
      if (item !== null) mediaAddresses.add(item);
      warnedOfFile(name, warnings);
      // Its file name would be no description: the picture asks for one.
      uploaded.push({ alt: "", url: name });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failed(new Error(t("upload.failed", { name: file.name, reason })));
    }
  }
  if (uploaded.length > 0) done(t("upload.done", { n: uploaded.length }));
  return uploaded;
}

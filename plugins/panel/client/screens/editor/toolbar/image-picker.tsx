import type { EditorView } from "@codemirror/view";
import type { VNode } from "preact";
import { siteHref } from "../../../boot.js";
import { Dialog } from "../../../parts/dialog.js";
import { Loading, useLoaded } from "../../../parts/loading.js";
import { t } from "../editor-texts.js";
import { insertImage } from "./formatting.js";
import { call } from "../../../api/request.js";

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

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { File as FileIcon } from "lucide";
import { attempt, warnedOfFile } from "../../app/toasts.js";
import { siteHref } from "../../boot.js";
import { Dialog } from "../dialog.js";
import { Icon } from "../icon.js";
import { Loading, useLoaded } from "../loading.js";
import { t } from "../parts-texts.js";
import { call } from "../../api/request.js";
import { listLibrary, uploadFile } from "../../api/media.js";
import { may } from "../../api/session.js";
import type { MediaItem } from "../../api/answers.js";
import { FilePicker } from "../file-picker.js";

interface MediaPickerProps {
  /** Null: there is no page, as for records. */
  pagePath: string | null;
  /** `isOwn`: the file belongs to the page. */
  onChoose(item: MediaItem, isOwn: boolean): void;
  onClose(): void;
}

/** Chooses a file of the page or of the whole site, or uploads one. */
export default function MediaPicker({ pagePath, onChoose, onClose }: MediaPickerProps): VNode {
  const [isSite, setSite] = useState(pagePath === null);
  const [words, setWords] = useState("");
  const files = useLoaded(`${isSite} ${words}`, () => find(isSite ? null : pagePath, words));
  return (
    <Dialog title={t("media.title")} onClose={onClose} wide>
      <div class="row">
        {pagePath !== null && (
          <div class="segments" role="group" aria-label={t("media.where")}>
            <button type="button" aria-pressed={!isSite} onClick={() => setSite(false)}>
              {t("media.page")}
            </button>
            <button type="button" aria-pressed={isSite} onClick={() => setSite(true)}>
              {t("media.site")}
            </button>
          </div>
        )}
        <input
          class="grow"
          type="search"
          aria-label={t("search")}
          placeholder={t("search")}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      {may("media.upload") && (
        <Upload pagePath={pagePath} folders={files.data?.folders ?? []} onUploaded={onChoose} />
      )}
      <Loading of={files}>
        {({ items, isOwn }) => (
          <>
            {items.length === 0 && <p class="dim">{t("media.none")}</p>}
            <ul class="picture-grid">
              {items.map((item) => (
                <li key={`${item.folder ?? ""}/${item.name}`}>
                  <button type="button" onClick={() => onChoose(item, isOwn)}>
                    {item.type.startsWith("image/") ? (
                      <img src={siteHref(item.url)} alt="" loading="lazy" />
                    ) : (
                      <Icon of={FileIcon} size={48} />
                    )}
                    <span>{item.name}</span>
                    {!isOwn && <small class="dim">{item.folder}</small>}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loading>
    </Dialog>
  );
}

interface Found {
  readonly items: readonly MediaItem[];
  readonly folders: readonly string[];
  /** True for files of the page. The list stays while the other one is loaded. */
  readonly isOwn: boolean;
}

/** Files of a page; without one, of the whole site. */
async function find(pagePath: string | null, words: string): Promise<Found> {
  if (pagePath === null) {
    const { items, folders } = await listLibrary({ q: words, limit: 60 });
    // Fields name files by the page that they belong to.
    return { items: items.filter(({ key }) => key !== null), folders, isOwn: false };
  }
  const { items } = await call("GET /media", { query: { path: pagePath } });
  const part = words.toLowerCase();
  const matches = items.filter(({ name }) => name.toLowerCase().includes(part));
  return { items: matches, folders: [], isOwn: true };
}

interface UploadProps {
  /** Null: there is no page, as for records. */
  pagePath: string | null;
  /** Folders to choose from where there is no page. */
  folders: readonly string[];
  /** `isOwn`: the file belongs to the page. */
  onUploaded(item: MediaItem, isOwn: boolean): void;
}

function Upload({ pagePath, folders, onUploaded }: UploadProps): VNode | null {
  const [folder, setFolder] = useState("");
  const target = pagePath ?? (folder || folders[0]);
  if (target === undefined || target === "") return null;
  const upload = async (file: File): Promise<void> => {
    const { name, warnings } = await uploadFile(target, file);
    warnedOfFile(name, warnings);
    const listed = await call("GET /media", { query: { path: target } });
    const item = listed.items.find((one) => one.name === name);
    if (item === undefined) return;
    if (pagePath !== null) return onUploaded(item, true);
    const { items } = await listLibrary({ q: name, limit: 200 });
    onUploaded(items.find((one) => one.url === item.url) ?? item, false);
  };
  return (
    <div class="row">
      {pagePath === null && (
        <label>
          {t("media.folder")}
          <select value={target} onChange={(event) => setFolder(event.currentTarget.value)}>
            {folders.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      )}
      <FilePicker
        label={t("media.upload")}
        onFiles={([file]) => {
          if (file !== undefined) void attempt(() => upload(file));
        }}
      />
    </div>
  );
}

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { listMediaFolders } from "../../api/media/media-library.js";
import { Dialog } from "../../parts/dialog.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { t } from "./media-texts.js";
import type { Upload, Uploads } from "./use-uploads.js";

/** Files that wait for a folder, and those on their way. */
export interface UploadDialogProps {
  uploads: Uploads;
  /** Dropped or pasted before a folder was known. */
  pending: readonly File[];
  /** The folder at first. */
  folder: string;
  onPendingSent(): void;
  onClose(): void;
}

/** Chooses a folder and files, and shows what became of each. */
export function UploadDialog(props: UploadDialogProps): VNode {
  const { uploads, pending, onPendingSent, onClose } = props;
  const [folder, setFolder] = useState(props.folder);
  const send = (files: readonly File[]): void => uploads.add(files, folder.trim());
  return (
    <Dialog title={t("upload")} onClose={onClose}>
      <FolderInput value={folder} onChange={setFolder} />
      {pending.length > 0 ? (
        <div class="row">
          <span class="grow">{t("upload.pending", { n: pending.length })}</span>
          <button
            type="button"
            class="primary"
            onClick={() => {
              send(pending);
              onPendingSent();
            }}
          >
            {t("upload.here")}
          </button>
        </div>
      ) : (
        <label>
          {t("upload.choose")}
          <input
            type="file"
            multiple
            onChange={({ currentTarget }) => {
              send([...(currentTarget.files ?? [])]);
              currentTarget.value = "";
            }}
          />
          <span class="help">{t("upload.ways")}</span>
        </label>
      )}
      {uploads.all.length > 0 && <Progress uploads={uploads} />}
      <div class="actions">
        <button type="button" onClick={onClose}>
          {t(uploads.isBusy ? "upload.background" : "upload.close")}
        </button>
      </div>
    </Dialog>
  );
}

function FolderInput(props: { value: string; onChange(folder: string): void }): VNode {
  const [words, setWords] = useState(props.value);
  useEffect(() => {
    const timer = setTimeout(() => setWords(props.value), 200);
    return () => clearTimeout(timer);
  }, [props.value]);
  const folders = useLoaded(words, () => listMediaFolders(words));
  return (
    <label>
      {t("upload.folder")}
      <input
        list="media-folders"
        autocomplete="off"
        spellcheck={false}
        value={props.value}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <datalist id="media-folders">
        {folders.data?.items.map(({ path, title }) => (
          <option key={path} value={path}>
            {title}
          </option>
        ))}
      </datalist>
      <span class="help">{t("upload.folder.why")}</span>
    </label>
  );
}

function Progress({ uploads }: { uploads: Uploads }): VNode {
  const { all } = uploads;
  const stored = all.filter(({ state }) => state === "stored").length;
  const failed = all.filter(({ state }) => state === "failed").length;
  return (
    <section class="stack-small" aria-label={t("upload.progress")}>
      <p role="status">{t("upload.count", { stored, failed, n: all.length })}</p>
      <ul class="uploads">
        {all.map((one) => (
          <Line key={one.id} upload={one} uploads={uploads} />
        ))}
      </ul>
    </section>
  );
}

function Line({ upload, uploads }: { upload: Upload; uploads: Uploads }): VNode {
  const { file, state, part, path, reason, warnings } = upload;
  return (
    <li class="stack-small">
      <span class="break">{state === "stored" ? path : file.name}</span>
      {(state === "sending" || state === "waiting") && (
        <progress value={part} max={1} aria-label={t("upload.one", { name: file.name })} />
      )}
      {state === "stored" && <span class="badge good">{t("upload.stored")}</span>}
      {warnings.map((warning) => (
        <span key={warning} class="notice warn" role="alert">
          {warning}
        </span>
      ))}
      {state === "failed" && (
        <>
          <span class="field-error" role="alert">
            {reason}
          </span>
          <Again upload={upload} uploads={uploads} />
        </>
      )}
    </li>
  );
}

function Again({ upload, uploads }: { upload: Upload; uploads: Uploads }): VNode {
  const ways = upload.isTaken ? (["replace", "keepBoth"] as const) : (["same"] as const);
  return (
    <div class="row">
      {ways.map((how) => (
        <button
          key={how}
          type="button"
          aria-label={t(`upload.${how}.one`, { name: upload.file.name })}
          onClick={() => uploads.retry(upload, how)}
        >
          {t(`upload.${how}`)}
        </button>
      ))}
    </div>
  );
}

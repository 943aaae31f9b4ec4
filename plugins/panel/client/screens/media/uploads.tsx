import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../../app/texts.js";
import de from "../../locales/de/media.json";
import en from "../../locales/en/media.json";
import { Dialog } from "../../parts/dialog.js";
import { toReason, useLoaded } from "../../parts/loading.js";
import { ApiError, call } from "../../api/request.js";
import {
  type FileUpload,
  MAX_UPLOAD_BYTES,
  numberedName,
  type UploadResult,
  uploadWithProgress,
} from "../../api/media.js";
import { FilePicker } from "../../parts/file-picker.js";

const t = texts({ en, de });

/** Files that wait for a folder, and those on their way. */
interface UploadDialogProps {
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
  const [problem, setProblem] = useState<string | null>(null);
  // The folder is checked once, before the first file: each file would fail for the same reason.
  const send = async (files: readonly File[]): Promise<boolean> => {
    try {
      const found = await findFolder(folder);
      setFolder(found);
      setProblem(null);
      uploads.add(files, found);
      return true;
    } catch (error) {
      setProblem(toReason(error));
      return false;
    }
  };
  return (
    <Dialog title={t("upload")} onClose={onClose}>
      <FolderInput
        value={folder}
        problem={problem}
        onChange={(value) => {
          setFolder(value);
          setProblem(null);
        }}
      />
      {pending.length > 0 ? (
        <div class="row">
          <span class="grow">{t("upload.pending", { n: pending.length })}</span>
          <button
            type="button"
            class="primary"
            onClick={() => {
              void send(pending).then((isSent) => isSent && onPendingSent());
            }}
          >
            {t("upload.here")}
          </button>
        </div>
      ) : (
        <FilePicker
          label={t("upload.choose")}
          multiple
          help={t("upload.ways")}
          onFiles={(files) => void send(files)}
        />
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

/** More folders than a list of proposals shows. */
const MAX_FOLDERS = 500;

/**
 * The folder that was meant: this path, or the only one whose path or title has these words.
 * @throws Error without such a folder, or with more than one; ApiError, OfflineError.
 */
export async function findFolder(typed: string): Promise<string> {
  const words = typed.trim().replace(/^\/+|\/+$/g, "");
  if (words === "") return words;
  const query = { q: words, limit: MAX_FOLDERS };
  const { items, total } = await call("GET /media/folders", { query });
  const isPart = items.some(({ path }) => path === words || path.startsWith(`${words}/`));
  if (isPart) return words;
  const [only] = items;
  if (only === undefined) throw new Error(t("upload.folder.none", { words }));
  if (total > 1) throw new Error(t("upload.folder.many", { words, n: total }));
  return only.path;
}

interface FolderInputProps {
  value: string;
  /** Why no file can be sent there; null: nothing is known against it. */
  problem: string | null;
  onChange(folder: string): void;
}

/** The folder of a page, found by its path or title. */
export function FolderInput(props: FolderInputProps): VNode {
  const [words, setWords] = useState(props.value);
  useEffect(() => {
    const timer = setTimeout(() => setWords(props.value), 200);
    return () => clearTimeout(timer);
  }, [props.value]);
  const folders = useLoaded(words, () => call("GET /media/folders", { query: { q: words } }));
  return (
    <label>
      {t("upload.folder")}
      <input
        list="media-folders"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={props.problem !== null}
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
      {props.problem !== null && (
        <span class="field-error" role="alert">
          {props.problem}
        </span>
      )}
      <span class="help">{t("upload.folder.why")}</span>
    </label>
  );
}

interface ProgressProps {
  uploads: Uploads;
}

function Progress({ uploads }: ProgressProps): VNode {
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

interface LineProps {
  upload: Upload;
  uploads: Uploads;
}

function Line({ upload, uploads }: LineProps): VNode {
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

function Again({ upload, uploads }: LineProps): VNode {
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

const MAX_TRIES = 20;

/** A file on its way to the server. */
interface Upload {
  readonly id: number;
  readonly folder: string;
  readonly file: File;
  readonly state: "waiting" | "sending" | "stored" | "failed";
  /** 0 to 1. */
  readonly part: number;
  /** The reason why it failed; empty otherwise. */
  readonly reason: string;
  /** True: a file of this name exists. */
  readonly isTaken: boolean;
  /** The path where it was stored; empty before. */
  readonly path: string;
  /** Warnings about the stored file. */
  readonly warnings: readonly string[];
}
/** All uploads of this visit to the screen. */
export interface Uploads {
  readonly all: readonly Upload[];
  /** True while files wait or are sent. */
  readonly isBusy: boolean;
  add(files: readonly File[], folder: string): void;
  /** Sends a file whose name is taken again: in place of the other one, or under a new name. */
  retry(upload: Upload, how: "replace" | "keepBoth" | "same"): void;
  clear(): void;
}

/** Sends files one after the other; a failed one does not stop the others. */
export function useUploads(onStored: () => void): Uploads {
  const [all, setAll] = useState<readonly Upload[]>([]);
  const lastId = useRef(0);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const update = (id: number, change: Partial<Upload>): void =>
    setAll((before) => before.map((one) => (one.id === id ? { ...one, ...change } : one)));
  const enqueue = (upload: Upload, send: Send) => {
    const run = async (): Promise<void> => {
      update(upload.id, { state: "sending", part: 0, reason: "", isTaken: false });
      try {
        const stored = await send(upload, (part) => update(upload.id, { part }));
        const { path, warnings } = stored;
        update(upload.id, { state: "stored", part: 1, path, warnings });
        onStored();
      } catch (error) {
        const isTaken = error instanceof ApiError && error.status === 409;
        update(upload.id, { state: "failed", reason: toReason(error), isTaken });
      }
    };
    queue.current = queue.current.then(run);
  };
  return {
    all,
    isBusy: all.some(({ state }) => state === "waiting" || state === "sending"),
    add(files, folder) {
      const added = files.map((file): Upload => {
        lastId.current += 1;
        return {
          id: lastId.current,
          folder,
          file,
          state: "waiting",
          part: 0,
          reason: "",
          isTaken: false,
          path: "",
          warnings: [],
        };
      });
      setAll((before) => [...before, ...added]);
      for (const one of added) enqueue(one, plain);
    },
    retry: (upload, how) => enqueue(upload, WAYS[how]),
    clear: () => setAll((before) => before.filter(({ state }) => state !== "stored")),
  };
}

type Report = (part: number) => void;
type Send = (upload: Upload, report: Report) => Promise<UploadResult>;

const WAYS = { replace, keepBoth, same: plain } as const;

function plain({ file, folder }: Upload, onProgress: Report): Promise<UploadResult> {
  return sendFile({ file, folder, name: file.name, overwrite: false, onProgress });
}

function replace({ file, folder }: Upload, onProgress: Report): Promise<UploadResult> {
  return sendFile({ file, folder, name: file.name, overwrite: true, onProgress });
}

async function keepBoth({ file, folder }: Upload, onProgress: Report): Promise<UploadResult> {
  for (let number = 2; ; number += 1) {
    const name = numberedName(file.name, number);
    try {
      return await sendFile({ file, folder, name, overwrite: false, onProgress });
    } catch (error) {
      const isTaken = error instanceof ApiError && error.status === 409;
      if (!isTaken || number === MAX_TRIES) throw error;
    }
  }
}

/**
 * Uploads a file that is not larger than the server accepts: a larger one would be refused only after it was sent.
 * @throws ApiError, OfflineError, Error for a file that is too large.
 */
export async function sendFile(upload: FileUpload): Promise<UploadResult> {
  const { size } = upload.file;
  if (size <= MAX_UPLOAD_BYTES) return uploadWithProgress(upload);
  const most = MAX_UPLOAD_BYTES / 1_048_576;
  throw new Error(t("upload.large", { size: (size / 1_048_576).toFixed(1), most }));
}

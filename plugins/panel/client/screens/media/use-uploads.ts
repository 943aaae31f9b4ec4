import { useRef, useState } from "preact/hooks";
import { MAX_UPLOAD_BYTES } from "../../api/media/media.js";
import { uploadFile, type StoredFile } from "../../api/media/media-library.js";
import { ApiError } from "../../api/request.js";
import { numberedName } from "../../parts/numbered-name.js";
import { reasonOf } from "../../parts/failure.js";
import { t } from "./media-texts.js";

const MAX_TRIES = 20;

/** A file on its way to the server. */
export interface Upload {
  readonly id: number;
  readonly folder: string;
  readonly file: File;
  readonly state: "waiting" | "sending" | "stored" | "failed";
  /** 0 to 1. */
  readonly part: number;
  /** Why it failed; empty otherwise. */
  readonly reason: string;
  /** True: a file of this name exists. */
  readonly isTaken: boolean;
  /** Where it was stored; empty before. */
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
        update(upload.id, { state: "failed", reason: reasonOf(error), isTaken });
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
type Send = (upload: Upload, report: Report) => Promise<StoredFile>;

const WAYS = { replace, keepBoth, same: plain } as const;

function plain({ file, folder }: Upload, onProgress: Report): Promise<StoredFile> {
  assertSize(file);
  return uploadFile({ file, folder, name: file.name, overwrite: false, onProgress });
}

function replace({ file, folder }: Upload, onProgress: Report): Promise<StoredFile> {
  return uploadFile({ file, folder, name: file.name, overwrite: true, onProgress });
}

async function keepBoth({ file, folder }: Upload, onProgress: Report): Promise<StoredFile> {
  for (let number = 2; ; number += 1) {
    const name = numberedName(file.name, number);
    try {
      return await uploadFile({ file, folder, name, overwrite: false, onProgress });
    } catch (error) {
      const isTaken = error instanceof ApiError && error.status === 409;
      if (!isTaken || number === MAX_TRIES) throw error;
    }
  }
}

function assertSize({ size }: File): void {
  if (size <= MAX_UPLOAD_BYTES) return;
  const most = MAX_UPLOAD_BYTES / 1_048_576;
  throw new Error(t("upload.large", { size: (size / 1_048_576).toFixed(1), most }));
}

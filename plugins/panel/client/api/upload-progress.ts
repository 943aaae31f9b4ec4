import { boot } from "../boot.js";
import { ApiError, hooks, OfflineError, signedInSince, type Answer } from "./request.js";

/** A file to upload. */
export interface FileUpload {
  /** The folder of a page. */
  folder: string;
  file: File;
  /** The name to store it under. */
  name: string;
  /** True: replaces a file of this name. */
  overwrite: boolean;
  /** Called with the sent part, from 0 to 1. */
  onProgress(part: number): void;
}
/** A file that was stored. */
export type StoredFile = Answer<"POST /media/upload">;

/**
 * Uploads a file and reports how much was sent, which `fetch` cannot. An expired session asks to sign in
 * and repeats the request.
 * @throws ApiError 409 when a file of this name exists, OfflineError.
 */
export async function uploadFile(upload: FileUpload): Promise<StoredFile>;
export async function uploadFile(upload: FileUpload): Promise<unknown> {
  const { folder, file, name, overwrite, onProgress } = upload;
  const body = new FormData();
  body.set("pagePath", folder);
  body.set("overwrite", String(overwrite));
  body.set("file", file, name);
  const { signIns } = hooks;
  const first = await send(body, onProgress);
  const isSignedIn = first.status === 401 && (await signedInSince(signIns));
  const { status, text } = isSignedIn ? await send(body, onProgress) : first;
  const data = parsed(text, status);
  if (status < 200 || status > 299) throw new ApiError(status, data);
  return data;
}

function send(
  body: FormData,
  onProgress: (part: number) => void,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${boot.path}/api/media/upload`);
    request.setRequestHeader("accept", "application/json");
    request.setRequestHeader("x-csrf-token", hooks.csrfToken);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    request.onerror = () => reject(new OfflineError("the connection was lost"));
    request.send(body);
  });
}

function parsed(text: string, status: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch {
    // A proxy answered, with a page of its own.
  }
  return { error: `HTTP ${status}: ${text.slice(0, 200)}` };
}

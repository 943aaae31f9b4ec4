import { boot } from "../../boot.js";
import { ApiError, hooks, OfflineError, signedInSince } from "../request.js";

/**
 * Posts form data and reports how much was sent, which `fetch` cannot. An expired session asks to sign
 * in and repeats the request.
 * @throws ApiError, OfflineError.
 */
export async function upload<T>(
  path: string,
  body: FormData,
  onProgress: (part: number) => void,
): Promise<T> {
  const { signIns } = hooks;
  const first = await send(path, body, onProgress);
  const isSignedIn = first.status === 401 && (await signedInSince(signIns));
  const { status, text } = isSignedIn ? await send(path, body, onProgress) : first;
  const data = parsed(text, status);
  if (status < 200 || status > 299) throw new ApiError(status, data);
  // The server's own route: its shape is declared beside the call.
  return data as T;
}

function send(
  path: string,
  body: FormData,
  onProgress: (part: number) => void,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${boot.path}/api${path}`);
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

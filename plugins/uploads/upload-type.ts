import { HttpError } from "#kernel";
import { registeredTypeOf } from "#lib/files";

/** The type of an upload, derived from its original name. */
export interface UploadType {
  /** Lower-case, without dot. */
  readonly extension: string;
  /** MIME type of the extension; the type sent by the client is ignored. */
  readonly type: string;
}

const EXTENSION = /[^/\\]\.([A-Za-z0-9]{1,10})$/;

/**
 * The type of an uploaded file by its extension.
 * @throws HttpError 400 ERR_UPLOAD_NAME without one, 415 ERR_UPLOAD_TYPE for one that is not allowed.
 */
export function uploadType(name: string, allowed: readonly string[]): UploadType {
  const extension = name.includes("\0") ? undefined : EXTENSION.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) {
    throw new HttpError(400, "the file name has no extension", { code: "ERR_UPLOAD_NAME" });
  }
  const type = registeredTypeOf(`upload.${extension}`);
  if (type !== null && allowed.includes(type)) return { extension, type };
  throw new HttpError(415, `files of type .${extension} are not allowed`, {
    code: "ERR_UPLOAD_TYPE",
  });
}

/** Error codes of uploads: meaning and fix. */
export const uploadErrors = {
  ERR_UPLOAD_AUTH: "Only logged-in visitors may upload (`uploads.require_auth`): log in first.",
  ERR_UPLOAD_ORIGIN:
    "The upload of a logged-in visitor came from another site: send it from this site.",
  ERR_UPLOAD_FORM: "The body is not a form with exactly one file in the field `file`: correct it.",
  ERR_UPLOAD_NAME: "The file name has no extension: add one.",
  ERR_UPLOAD_TYPE:
    "The type is not in `uploads.allowed_types`, or the content does not match the extension.",
  ERR_UPLOAD_SIZE: "The file is larger than `uploads.max_size_mb`: send a smaller one.",
  ERR_UPLOAD_FULL:
    "All uploads together have reached `uploads.max_total_mb`: remove some, or raise it.",
} as const;

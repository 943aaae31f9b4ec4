/** Error codes of uploads, with what they mean and what mends them. */
export const uploadErrors = {
  ERR_UPLOAD_AUTH: "Only logged-in visitors may upload (`uploads.require_auth`): log in first.",
  ERR_UPLOAD_ORIGIN: "An upload for a logged-in visitor came from another site: send it from here.",
  ERR_UPLOAD_FORM: "The body is no form with exactly one file in its field `file`: correct it.",
  ERR_UPLOAD_NAME: "The file's name has no extension that says what it is: give it one.",
  ERR_UPLOAD_TYPE:
    "The type is not in `uploads.allowed_types`, or the bytes are not what the extension says.",
  ERR_UPLOAD_SIZE: "The file is larger than `uploads.max_size_mb`: send a smaller one.",
  ERR_UPLOAD_FULL:
    "All uploads together have reached `uploads.max_total_mb`: remove some, or raise it.",
} as const;

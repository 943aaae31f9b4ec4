/** Error codes of forms: meaning and fix. */
export const formErrors = {
  ERR_FORMS_FILE:
    "A file in `forms/` has a mistake: correct the key that is named. An invalid field is left out until then; a file that cannot be read has no form.",
  ERR_FORMS_SESSION:
    "Forms need the plugin `session`, which derives the secret of their tokens: select it.",
  ERR_FORMS_DEFINITION:
    "A plugin gives an invalid definition of a field for a form: correct it in the plugin.",
  ERR_FORMS_UNKNOWN: "No file in `forms/` has this name: correct the name in the address or page.",
  ERR_FORMS_INVALID:
    "The values do not fit the fields of the form: `validationErrors` names each field.",
  ERR_FORMS_TOKEN:
    "The hidden token is missing, invalid or expired: send the fields again with a new one from the page or from `GET /api/forms/{name}`.",
  ERR_FORMS_EARLY: "The form was sent faster than a person fills it in: wait and send it again.",
  ERR_FORMS_BODY:
    "The body is malformed: send `application/x-www-form-urlencoded`, `multipart/form-data` without files, or a JSON object.",
  ERR_FORMS_LIMIT: "Too many submissions came from this address: wait as `Retry-After` says.",
  ERR_FORMS_SUBMISSION: "There is no such submission: it was deleted, or has expired.",
} as const;

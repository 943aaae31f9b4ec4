import { boot } from "../boot.js";
import { call, hooks } from "./request.js";

/** Loads a preview into a frame or a new window, through a form: the document gets an address and the theme's own policy. */
export function showPreview(frame: string, values: Readonly<Record<string, string>>): void {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: `${boot.path}/preview`, target: frame });
  for (const [name, value] of Object.entries({ ...values, _csrf: hooks.csrfToken })) {
    const field = document.createElement("textarea");
    Object.assign(field, { name, value });
    form.append(field);
  }
  form.hidden = true;
  document.body.append(form);
  form.submit();
  form.remove();
}

/** Opens a page in a window of its own, as it is in its working copy or else in its file. @throws ApiError, OfflineError. */
export async function previewPage(path: string): Promise<void> {
  const { total } = await call("GET /drafts", { query: { path } });
  const content =
    total > 0
      ? (await call("GET /drafts/*path", { params: { path } })).content
      : (await call("GET /pages/*path", { params: { path } })).raw;
  showPreview("_blank", { path, content });
}

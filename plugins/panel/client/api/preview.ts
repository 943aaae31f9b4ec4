import { boot } from "../boot.js";
import { hooks } from "./request.js";

/** Loads a preview into a frame, through a form: the document gets an address and the theme's own policy. */
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

import { escapeHtml, type SiteContext } from "#kernel";
import { nearest } from "#lib/values";
import type { PageEntry } from "../content/contract.js";
import type { Shortcode } from "../markdown/contract.js";
import type { FormGuard } from "./contract.js";
import type { SiteForms } from "./site-forms.js";
import { formHtml, type FormTexts } from "./form-html.js";

/** Dependencies of the shortcode. */
interface ShortcodeDependencies {
  readonly site: SiteContext;
  readonly forms: SiteForms;
  readonly guard: FormGuard;
  readonly texts: FormTexts;
}

/** Cache tag of everything that shows forms. */
export const FORMS_TAG = "forms";

/** `{{ form contact }}`: the form of a file in `forms/`. */
export function formShortcode({ site, forms, guard, texts }: ShortcodeDependencies): Shortcode {
  return {
    bareWords: true,
    params: { name: { type: "text", required: true, label: "Form" } },
    async render({ name: given }, { page, tags, expireAt }) {
      tags.add(FORMS_TAG);
      const name = String(given);
      const lang = page.standsInFor ?? page.lang;
      const form = forms.find(name, lang);
      if (form === undefined) throw new Error(unknownForm(name, forms.names));
      const t = texts.of(lang);
      const isExport = site.lifecycle.purpose === "export";
      const { static: inExport } = site.settings.site.forms;
      if (isExport && inExport === "notice") {
        const text = t("form.static", "This form needs the server of the site.");
        return trusted(`<p class="notice" role="note">${escapeHtml(text)}</p>`);
      }
      const action = `/forms/${name}`;
      if (isExport) {
        // The server has the secret of tokens, so it shows the form again before it accepts it.
        const { url } = site.settings.site;
        return trusted(formHtml({ form, t, action: `${url}${action}`, hidden: "" }));
      }
      expireAt(guard.renewAt());
      const hidden = await guard.fields({
        subject: `form:${name}`,
        page: findPath(site, page, lang),
        id: `form-${name}`,
        trap: t("form.trap", "Leave this field empty"),
      });
      return trusted(formHtml({ form, t, action, hidden }));
    },
  };
}

/** The address of the page; of a module the page above it. */
function findPath(site: SiteContext, { isModule, parent, url }: PageEntry, lang: string): string {
  return isModule ? site.use("content").addresses.urlOf(parent ?? "/", lang) : url;
}

function unknownForm(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  const hint = near === null ? "" : `; did you mean ${near}?`;
  return `there is no file forms/${name.slice(0, 80)}.yaml${hint}`;
}

function trusted(html: string): { html: string; trusted: true } {
  return { html, trusted: true };
}

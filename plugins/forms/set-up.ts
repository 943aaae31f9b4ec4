import { SiteError, type SiteContext } from "#kernel";
import { runningFile } from "#lib/packages";
import { decodeAddress } from "#lib/urls";
import type { ContentProblem } from "../content/contract.js";
import { FORMS_FOLDER, SiteForms } from "./site-forms.js";
import { createGuard } from "./routes/guard.js";
import { FORMS_TAG, formShortcode } from "./form-shortcode.js";
import { FormTexts, pluginForm } from "./form-html.js";
import { deliveryMistakes } from "./deliver.js";
import { adminRoutes } from "./routes/admin-routes.js";
import { publicRoutes } from "./routes/public-routes.js";
import { formsData, keepPruned, ofAccount, Submissions } from "./submissions.js";

/** Registers what the plugin does in a site that starts. */
export function setUpForms(site: SiteContext): void {
  assertSession(site);
  const forms = createForms(site);
  const guard = createGuard(site);
  const texts = new FormTexts(site);
  const submissions = new Submissions(site.use("records"));
  site.provide("forms", {
    guard,
    names: () => forms.names,
    form: (name, definition) => pluginForm(name, definition, site.use("content").fieldKinds),
    ...ofAccount(forms, submissions),
  });
  site.extensions.add("pluginProblems", () => [...forms.problems, ...missingThanks(site, forms)]);
  site
    .use("markdown", { optional: true })
    ?.addShortcode("form", formShortcode({ site, forms, guard, texts }));
  site.extensions.add("personalData", formsData(forms, submissions));
  publicRoutes(site, { site, forms, submissions, guard, texts });
  adminRoutes({ site, forms, submissions });
  site.extensions.add("panelExtensions", { file: runningFile("plugins/forms/client/panel.js") });
  if (site.lifecycle.purpose === "serve") keepPruned(site, forms, submissions);
}

/** The forms, followed while the site runs. */
function createForms(site: SiteContext): SiteForms {
  const content = site.use("content");
  const forms = new SiteForms({
    root: site.paths.root,
    kinds: content.fieldKinds,
    languages: content.languages.supported,
    check: (form) => deliveryMistakes(site, form),
  });
  const read = async (): Promise<boolean> => {
    if (!(await forms.read())) return false;
    for (const { sourcePath, line, key, message, fix } of forms.problems) {
      site.log.warn("forms.problem", { file: sourcePath, line, key, message, fix });
    }
    const tags = new Set([FORMS_TAG]);
    await site.changes.publish({ changes: [], tags, isFound: true });
    return true;
  };
  site.lifecycle.onReady(async () => void (await forms.read()));
  site.extensions.add("rootFolders", { folder: FORMS_FOLDER, read });
  return forms;
}

/** Forms after which visitors get a 404. Pages come and go, so this is no mistake that reading the file finds. */
function missingThanks(site: SiteContext, forms: SiteForms): ContentProblem[] {
  const content = site.use("content");
  return forms.all.flatMap(({ name, thanks }) => {
    if (thanks === null) return [];
    const path = decodeAddress(thanks.replace(/[?#].*$/, ""));
    if (content.view().resolve(path).kind !== "none" || content.claimOf(path) !== null) return [];
    return [
      {
        sourcePath: `${FORMS_FOLDER}/${name}.yaml`,
        severity: "error",
        code: "ERR_FORMS_FILE",
        key: "thanks",
        message: `no public page has the address ${JSON.stringify(thanks)}: visitors get a 404 after the form`,
        fix: "create the page, or remove the key for a built-in one",
      },
    ];
  });
}

/** @throws ERR_FORMS_SESSION: tokens are signed with the secret of the site, which sessions derive. */
function assertSession(site: SiteContext): void {
  const isServed = site.lifecycle.purpose === "serve";
  if (!isServed || site.use("session", { optional: true }) !== undefined) return;
  throw new SiteError("ERR_FORMS_SESSION", "the plugin forms needs the plugin session", {
    fix: "select the plugin session",
  });
}

/** Computes the front matter that a change of the editorial status writes. */
import { HttpError } from "#kernel";
import type { WorkflowStatus } from "../contract.js";
import { nearHidingKeys, SCHEDULE_KEYS, shownValue } from "../read/front-matter/hiding-keys.js";

type FrontMatterMap = Readonly<Record<string, unknown>>;

/**
 * The change of front matter that gives a page a status. Other keys that hide the page, ours and those of other
 * systems, are changed where they are present, so that a published page is public.
 * @throws HttpError 409 when a key that cannot be read keeps the page off the site.
 */
export function releasePatch(
  frontmatter: FrontMatterMap,
  to: WorkflowStatus,
): Record<string, unknown> {
  const isPublic = to === "published";
  const patch: Record<string, unknown> = { status: to };
  if ("published" in frontmatter) patch["published"] = isPublic;
  if ("draft" in frontmatter) patch["draft"] = !isPublic;
  if (!isPublic) return patch;
  const unreadable = nearHidingKeys(frontmatter).map(({ key }) => JSON.stringify(key));
  if (unreadable.length > 0) {
    const message = `the page would stay off the site: correct or rename ${unreadable.join(", ")} in its front matter`;
    throw new HttpError(409, message, { code: "ERR_CONTENT_FIELD_NAME" });
  }
  for (const key of Object.keys(frontmatter)) {
    const value = shownValue(key, frontmatter[key]);
    if (value !== undefined) patch[key] = value;
  }
  return patch;
}

/** The change that removes a date of a schedule, under each of its names. */
export function unschedulePatch(
  frontmatter: FrontMatterMap,
  name: keyof typeof SCHEDULE_KEYS,
): Record<string, null> {
  const names = SCHEDULE_KEYS[name].filter((key) => key === name || key in frontmatter);
  return Object.fromEntries(names.map((key) => [key, null]));
}

/** The files of a page, without those of a page that is left out. */
import type { SiteContext } from "#kernel";
import type { MediaItem, Page } from "../../content/contract.js";
import type { Picked } from "./pick-pages.js";

/** Pages that are single files share the folder of another page, which may be for members. */
export async function pageMedia(
  { entry, media }: Page,
  { site, picked }: { site: SiteContext; picked: Picked },
): Promise<readonly MediaItem[]> {
  const [first] = media;
  if (first === undefined) return media;
  const found = await site.use("content").mediaFile(entry.folder, first.name);
  const owner = found?.entry ?? null;
  return owner === null || owner.sourcePath === entry.sourcePath || picked.accepts(owner)
    ? media
    : [];
}

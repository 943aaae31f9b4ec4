/** The format `markdown`: a folder that is a content folder too. */
import { createReadStream } from "node:fs";
import { formatYaml } from "#lib/yaml";
import { atomicWrite, safeJoin } from "#kernel";
import { makeFolder } from "#kernel/internal";
import type { PageEntry } from "../../../content/contract.js";
import type { ImportNote } from "../../contract.js";
import type { ExportInput, Written } from "../format.js";
import { mediaFiles, MediaPlaces } from "./media-places.js";
import { OutNames } from "./out-names.js";
import { pageFile, type LinkTargets } from "./page-file.js";
import { PagePlaces } from "./page-places.js";

/** Writes one file per page, and files beside their pages. */
export async function writeMarkdown(input: ExportInput): Promise<Written> {
  const { site, picked, out, below } = input;
  const names = new OutNames();
  const pages = new PagePlaces(site, picked, names);
  const files = await mediaFiles(site, picked);
  pages.place(
    new Set([...files.flatMap(({ owner }) => owner?.sourcePath ?? []), ...owners(input)]),
  );
  const media = new MediaPlaces(files, { pages, names, takesAll: below === null });
  await makeFolder(out, "shared");
  const notes: ImportNote[] = [];
  for (const entry of picked.pages) {
    await writePage(input, entry, { targets: { site, pages, media }, notes });
    for (const module of picked.view.modules(entry)) {
      if (picked.accepts(module))
        await writePage(input, module, { targets: { site, pages, media }, notes });
    }
    input.tick();
  }
  const count = await writeMedia(media, out);
  const counts = { pages: picked.pages.length, media: count, records: 0, redirects: 0 };
  return { ...counts, notes };
}

/** Pages with modules. */
function owners({ picked }: ExportInput): string[] {
  return picked.pages.flatMap((entry) =>
    picked.view.modules(entry).length > 0 ? [entry.sourcePath] : [],
  );
}

async function writePage(
  { picked, out }: ExportInput,
  entry: PageEntry,
  { targets, notes }: { targets: LinkTargets; notes: ImportNote[] },
): Promise<void> {
  const place = targets.pages.of(entry);
  const file = place === undefined ? null : safeJoin(out, place.path);
  if (place === undefined || file === null) return;
  const { text, lost } = await pageFile(await picked.view.load(entry), place, targets);
  for (const name of lost) {
    notes.push({ file: entry.sourcePath, reason: `${name} has no counterpart in Markdown` });
  }
  // A failed export is removed as a whole, so single files need no sync.
  await atomicWrite(file, text, { access: "shared", durable: false });
}

async function writeMedia(media: MediaPlaces, out: string): Promise<number> {
  const used = media.used();
  for (const { file, path } of used) {
    const target = safeJoin(out, path);
    if (target === null) continue;
    await atomicWrite(target, createReadStream(file.file), { access: "shared", durable: false });
    const { meta } = file.item;
    if (Object.keys(meta).length === 0) continue;
    await atomicWrite(`${target}.meta.yaml`, formatYaml(meta), {
      access: "shared",
      durable: false,
    });
  }
  return used.length;
}

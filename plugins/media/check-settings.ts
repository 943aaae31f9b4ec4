import { isAbsolute, relative, resolve } from "node:path";
import type { Settings, SettingsProblem } from "#kernel";

/** Folders of the site whose contents cannot be generated again. */
export function checkImageSettings(settings: Settings): SettingsProblem[] {
  const { images, content } = settings.system;
  const cache = resolve("/", images.cache_dir);
  const { dataDir } = settings.admin;
  const precious = [content.dir, dataDir, "themes", "flex-objects", "blueprints", "config"];
  const clash = precious.find((folder) => overlaps(cache, resolve("/", folder)));
  if (clash === undefined) return [];
  return [
    {
      file: "system",
      key: "images.cache_dir",
      received: images.cache_dir,
      expected: `a folder apart from ${JSON.stringify(clash)}`,
      fix: "use .dune/cache/images, or another folder that holds nothing else",
    },
  ];
}

/** True when one is inside the other, or both are equal. */
function overlaps(a: string, b: string): boolean {
  return contains(a, b) || contains(b, a);
}

function contains(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return !isAbsolute(path) && path !== ".." && !path.startsWith("../");
}

import type { Verdict } from "./changes.js";
import { failed } from "./failed.js";
import type { SiteFiles } from "./site-files.js";

/** `delete` of a theme or flex file. */
export async function deleteFile(files: SiteFiles, path: string): Promise<Verdict> {
  const problem = await files.problem(path);
  if (problem !== null) return { status: "error", errors: [problem] };
  try {
    if ((await files.read(path)) === null) {
      return { status: "error", errors: [`file ${JSON.stringify(path)} does not exist`] };
    }
    await files.put(path, null);
    return { status: "deleted" };
  } catch (error) {
    return failed(error);
  }
}

import type { VNode } from "preact";
import { editPath, navigate, type ScreenProps } from "../../app/router.js";
import { sitePath } from "../../boot.js";
import { Loading, useLoaded } from "../../parts/loading.js";
import { ApiError, call } from "../../api/request.js";

/** Leads from an address of the public site to the editor of its page, else to the list of pages. */
export default function EditPage({ query }: ScreenProps): VNode {
  const path = sitePath(query.get("path") ?? "/");
  const found = useLoaded(path, async () => {
    const sourcePath = await sourceOfAddress(path);
    const list = `/pages?q=${encodeURIComponent(path)}`;
    navigate(sourcePath === null ? list : editPath(sourcePath), { replace: true });
    return sourcePath;
  });
  return <Loading of={found}>{() => <p />}</Loading>;
}

/** The source path of the page at an address of the public site; null without a page. */
async function sourceOfAddress(route: string): Promise<string | null> {
  try {
    return (await call("GET /page-source", { query: { route } })).sourcePath;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

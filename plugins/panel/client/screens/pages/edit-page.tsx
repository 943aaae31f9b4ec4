import type { VNode } from "preact";
import { sourceOfAddress } from "../../api/content/pages.js";
import { navigate, type ScreenProps } from "../../app/router.js";
import { editPath } from "../../app/screen-addresses.js";
import { sitePath } from "../../boot.js";
import { Loading, useLoaded } from "../../parts/loading.js";

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

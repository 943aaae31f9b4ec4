import type { VNode } from "preact";
import { sourceOfAddress } from "../../api/content/pages.js";
import type { ScreenProps } from "../../app/screen-props.js";
import { navigate } from "../../app/router.js";
import { sitePath } from "../../boot.js";
import { Loading } from "../../parts/loading.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { editPath } from "./edit-path.js";

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

import type { VNode } from "preact";
import { call } from "../api/request.js";
import { useLoaded } from "./loading.js";
import { t } from "./parts-texts.js";

interface UsedByProps {
  /** Source paths of the files of a page. */
  paths: readonly string[];
}

/** Names the pages and records that link to a page or name it. Null without any. */
export function UsedBy({ paths }: UsedByProps): VNode | null {
  const references = useLoaded(paths.join("\n"), async () => {
    const lists = await Promise.all(
      paths.map((path) => call("GET /pages/*path/references", { params: { path } })),
    );
    return lists.flatMap(({ items }) => items);
  });
  const users = [...new Set((references.data ?? []).map(({ from }) => from))].filter(
    (user) => !paths.includes(user),
  );
  if (users.length === 0) return null;
  return (
    <div class="notice warn">
      <p>{t("usedBy")}</p>
      <ul>
        {users.map((user) => (
          <li key={user}>{user}</li>
        ))}
      </ul>
    </div>
  );
}

import { File as FileIcon } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { LibraryItem } from "../../api/media/media-library.js";
import { setQuery } from "../../app/router.js";
import { Icon } from "../../parts/icon.js";
import { Table } from "../../parts/lists/table.js";
import { fileSize } from "./file-size.js";
import { t } from "./media-texts.js";
import { isPicture, picture } from "./picture.js";

interface ItemsProps {
  items: readonly LibraryItem[];
}

/** Files as pictures. */
export function MediaGrid({ items }: ItemsProps): VNode {
  return (
    <ul class="media-grid">
      {items.map((item) => (
        <li key={item.path}>
          <button type="button" title={item.path} onClick={() => setQuery({ file: item.path })}>
            <Thumbnail item={item} />
            <span class="break">{item.name}</span>
            {isUndescribed(item) && <span class="badge warn">{t("noAlt")}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Files as a table, with where they are used. */
export function MediaTable({ items }: ItemsProps): VNode | null {
  if (items.length === 0) return null;
  return (
    <Table
      label={t("list")}
      columns={[
        { label: t("file") },
        { label: t("alt"), wideOnly: true },
        { label: t("size"), wideOnly: true },
        { label: t("usedBy") },
      ]}
    >
      {items.map((item) => (
        <tr key={item.path}>
          <td class="break">
            <button
              type="button"
              class="link"
              aria-label={t("open", { name: item.path })}
              onClick={() => setQuery({ file: item.path })}
            >
              {item.name}
            </button>
            <small class="dim block">{item.folder}</small>
          </td>
          <td class="wide-only break">
            {isUndescribed(item) ? (
              <span class="badge warn">{t("noAlt")}</span>
            ) : (
              String(item.meta["alt"] ?? "")
            )}
          </td>
          <td class="wide-only dim">{fileSize(item.size)}</td>
          <td>{t("uses", { n: item.usedBy.length + item.usedByRecords.length })}</td>
        </tr>
      ))}
    </Table>
  );
}

function Thumbnail({ item }: { item: LibraryItem }): VNode {
  const [isBroken, setBroken] = useState(false);
  if (isPicture(item) && !isBroken) {
    return (
      <img {...picture(item, "11rem")} alt="" loading="lazy" onError={() => setBroken(true)} />
    );
  }
  return (
    <>
      <span class="media-icon">
        <Icon of={FileIcon} size={40} />
      </span>
      {isBroken && <span class="badge bad">{t("broken")}</span>}
    </>
  );
}

/** A picture without an alternative text; an empty one says that it is decoration. */
function isUndescribed(item: LibraryItem): boolean {
  return isPicture(item) && typeof item.meta["alt"] !== "string";
}

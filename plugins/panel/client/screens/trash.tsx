import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { t as app, texts } from "../app/texts.js";
import { attempt, done } from "../app/toasts.js";
import de from "../locales/de/trash.json";
import en from "../locales/en/trash.json";
import { FormDialog } from "../parts/forms.js";
import { Loading, useLoaded } from "../parts/loading.js";
import { fullMoment, Moment } from "../parts/moment.js";
import { Table } from "../parts/table.js";
import { call, type Item } from "../api/request.js";
import { may } from "../api/session.js";

type TrashItem = Item<"GET /trash">;

const t = texts({ en, de });

/** Deleted pages and files, which can be restored for some time. */
export default function Trash(): VNode {
  const trash = useLoaded("trash", () => call("GET /trash"));
  const [purged, setPurged] = useState<TrashItem | null>(null);
  const restore = async ({ id, title }: TrashItem): Promise<void> => {
    if (await attempt(() => call("POST /trash", { body: { id } }))) done(t("restored", { title }));
    trash.reload();
  };
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{app("screen.trash")}</h1>
        <p>{t("why")}</p>
      </header>
      <Loading of={trash}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="dim">{t("none")}</p>
          ) : (
            <Table
              label={app("screen.trash")}
              columns={[
                { label: t("what") },
                { label: t("when") },
                { label: t("until"), wideOnly: true },
                { label: t("actions"), isActions: true },
              ]}
            >
              {items.map((item) => (
                <Row key={item.id} item={item} onRestore={restore} onPurge={setPurged} />
              ))}
            </Table>
          )
        }
      </Loading>
      {purged !== null && (
        <FormDialog
          title={t("purge.title", { title: purged.title })}
          action={t("purge")}
          danger
          onClose={() => setPurged(null)}
          onSubmit={async () => {
            await call("DELETE /trash/:id", { params: { id: purged.id } });
            trash.reload();
          }}
        >
          <p>{t("purge.why")}</p>
        </FormDialog>
      )}
    </div>
  );
}

interface RowProps {
  item: TrashItem;
  onRestore(item: TrashItem): Promise<void>;
  onPurge(item: TrashItem): void;
}

function Row({ item, onRestore, onPurge }: RowProps): VNode {
  const { title, path, deletedAt, expiresAt, by } = item;
  return (
    <tr>
      <td>
        <strong>{title}</strong> <small class="dim">{path}</small>
      </td>
      <td class="dim">
        {by.name} · <Moment at={deletedAt} />
      </td>
      <td class="wide-only dim">{fullMoment(expiresAt)}</td>
      <td>
        <div class="row">
          {may("pages.create", item) && (
            <button
              type="button"
              aria-label={t("restore.one", { title })}
              onClick={() => void onRestore(item)}
            >
              {t("restore")}
            </button>
          )}
          {may("pages.delete", item) && (
            <button
              type="button"
              class="danger"
              aria-label={t("purge.one", { title })}
              onClick={() => onPurge(item)}
            >
              {t("purge")}
            </button>
          )}
        </div>
      </td>
    </tr>
  );
}

import { Plus } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { listTokens, revokeToken, type ApiToken } from "../../api/accounts/tokens.js";
import { done } from "../../app/toasts.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { Icon } from "../../parts/icon.js";
import { Loading } from "../../parts/loading.js";
import { fullMoment, Moment } from "../../parts/moment.js";
import { Table } from "../../parts/lists/table.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { TokenForm, TokenSecret, type NewToken } from "./token-form.js";
import { t } from "./tokens-texts.js";

/** Tokens of the admin API. */
export default function Tokens(): VNode {
  const tokens = useLoaded("tokens", listTokens);
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewToken | null>(null);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          <Icon of={Plus} />
          {t("create")}
        </button>
        <p>{t("why")}</p>
      </header>
      <Loading of={tokens}>
        {({ items }) => (
          <>
            <p class="dim" role="status">
              {items.length === 0 ? t("none") : t("count", { n: items.length })}
            </p>
            {items.length > 0 && <List items={items} onDone={tokens.reload} />}
          </>
        )}
      </Loading>
      {isCreating && (
        <TokenForm
          onClose={() => setCreating(false)}
          onCreated={(token) => {
            setCreated(token);
            tokens.reload();
          }}
        />
      )}
      {created !== null && !isCreating && (
        <TokenSecret token={created} onClose={() => setCreated(null)} />
      )}
    </div>
  );
}

function List({ items, onDone }: { items: readonly ApiToken[]; onDone(): void }): VNode {
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  return (
    <>
      <Table
        label={t("title")}
        columns={[
          { label: t("name") },
          { label: t("permissions"), wideOnly: true },
          { label: t("used"), wideOnly: true },
          { label: t("expires") },
          { label: t("actions"), isActions: true },
        ]}
      >
        {items.map((token) => (
          <Row key={token.id} token={token} onRevoke={() => setRevoked(token)} />
        ))}
      </Table>
      {revoked !== null && (
        <FormDialog
          title={t("revoke.title", { name: revoked.name })}
          action={t("revoke")}
          danger
          onClose={() => setRevoked(null)}
          onSubmit={async () => {
            await revokeToken(revoked.id);
            done(t("revoke.done"));
            onDone();
          }}
        >
          <p>{t("revoke.why")}</p>
        </FormDialog>
      )}
    </>
  );
}

function Row({ token, onRevoke }: { token: ApiToken; onRevoke(): void }): VNode {
  const { name, permissions, lastUsedAt } = token;
  return (
    <tr>
      <td class="break">
        {name}
        <Limits token={token} />
      </td>
      <td class="wide-only break">
        <small>{permissions.join(", ")}</small>
      </td>
      <td class="wide-only dim">
        {lastUsedAt === null ? t("unused") : <Moment at={lastUsedAt} />}
      </td>
      <td>
        <Expiry token={token} />
      </td>
      <td class="end">
        <button type="button" aria-label={t("revoke.title", { name })} onClick={onRevoke}>
          {t("revoke")}
        </button>
      </td>
    </tr>
  );
}

/** What the token is limited to, beyond its permissions. */
function Limits({ token: { paths, fields } }: { token: ApiToken }): VNode {
  return (
    <>
      {paths !== null && (
        <small class="dim block">{t("paths.only", { paths: paths.join(", ") })}</small>
      )}
      {fields !== null && (
        <small class="dim block">{t("fields.only", { fields: fields.join(", ") })}</small>
      )}
    </>
  );
}

function Expiry({ token: { expiresAt } }: { token: ApiToken }): VNode {
  if (expiresAt === null) return <span>{t("never")}</span>;
  if (expiresAt < Date.now()) return <span class="badge bad">{t("expired")}</span>;
  return <span>{fullMoment(expiresAt)}</span>;
}

import { MailPlus, UserPlus } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { listAccounts, type Account, type SentInvitation } from "../../api/accounts/accounts.js";
import type { ScreenProps } from "../../app/screen-props.js";
import { done } from "../../app/toasts.js";
import { Icon } from "../../parts/icon.js";
import { Moment } from "../../parts/moment.js";
import { Paged } from "../../parts/lists/paged.js";
import { Table } from "../../parts/lists/table.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { AccountActions } from "./account-actions.js";
import { AccountForm, nameOf } from "./account-form.js";
import { Invitations } from "./invitations.js";
import { InviteForm, InviteLink } from "./invite-dialogs.js";
import { t } from "./users-texts.js";

const LIMIT = 50;
type Open = "create" | "invite" | Account | SentInvitation | null;

/** Accounts and invitations. */
export default function Users({ query }: ScreenProps): VNode {
  const offset = Number(query.get("offset") ?? 0);
  const accounts = useLoaded(String(offset), () => listAccounts({ limit: LIMIT, offset }));
  const [open, setOpen] = useState<Open>(null);
  const [version, setVersion] = useState(0);
  const onSent = (sent: SentInvitation): void => {
    setVersion((before) => before + 1);
    if (sent.link === undefined) done(t("invite.sent", { email: sent.email }));
    // After the dialog has closed itself.
    else setTimeout(() => setOpen(sent));
  };
  return (
    <div class="screen">
      <Head onOpen={setOpen} />
      <Paged {...{ of: accounts, offset, limit: LIMIT }} count={(n) => t("count", { n })}>
        {({ users, currentUserId }) => (
          <Accounts users={users} ownId={currentUserId} onEdit={setOpen} onDone={accounts.reload} />
        )}
      </Paged>
      <Invitations version={version} onSent={onSent} />
      <Opened of={open} onClose={() => setOpen(null)} onDone={accounts.reload} onSent={onSent} />
    </div>
  );
}

function Head({ onOpen }: { onOpen(open: Open): void }): VNode {
  return (
    <header class="screen-head">
      <h1>{t("title")}</h1>
      <div class="row">
        <button type="button" onClick={() => onOpen("create")}>
          <Icon of={UserPlus} />
          {t("create")}
        </button>
        <button type="button" class="primary" onClick={() => onOpen("invite")}>
          <Icon of={MailPlus} />
          {t("invite")}
        </button>
      </div>
    </header>
  );
}

function Opened(props: {
  of: Open;
  onClose(): void;
  onDone(): void;
  onSent(sent: SentInvitation): void;
}): VNode | null {
  const { of, onClose, onDone, onSent } = props;
  if (of === null) return null;
  if (of === "invite") return <InviteForm onClose={onClose} onSent={onSent} />;
  if (of === "create") return <AccountForm account={null} onClose={onClose} onDone={onDone} />;
  if ("sent" in of) return <InviteLink email={of.email} link={of.link ?? ""} onClose={onClose} />;
  return <AccountForm account={of} onClose={onClose} onDone={onDone} />;
}

function Accounts(props: {
  users: readonly Account[];
  ownId: string;
  onEdit(account: Account): void;
  onDone(): void;
}): VNode {
  const { users, ownId, onEdit, onDone } = props;
  return (
    <Table
      label={t("title")}
      columns={[
        { label: t("user") },
        { label: t("roles"), wideOnly: true },
        { label: t("state"), wideOnly: true },
        { label: t("seen"), wideOnly: true },
        { label: t("actions"), isActions: true },
      ]}
    >
      {users.map((account) => (
        <tr key={account.id}>
          <td class="break">
            <button
              type="button"
              class="link"
              aria-label={t("edit", { name: nameOf(account) })}
              onClick={() => onEdit(account)}
            >
              {nameOf(account)}
            </button>{" "}
            {account.id === ownId && <span class="badge">{t("you")}</span>}
            <small class="dim block">{account.email}</small>
          </td>
          <td class="wide-only">{account.roles.join(", ")}</td>
          <td class="wide-only">
            <span class={`badge ${account.enabled ? "good" : "bad"}`}>
              {t(account.enabled ? "enabled" : "disabled")}
            </span>
          </td>
          <td class="wide-only dim">
            <Moment at={account.lastSeenAt} />
          </td>
          <td class="end">
            <AccountActions account={account} isOwn={account.id === ownId} onDone={onDone} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

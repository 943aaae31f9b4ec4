import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../../app/texts.js";
import { done } from "../../app/toasts.js";
import de from "../../locales/de/account.json";
import en from "../../locales/en/account.json";
import { Dialog } from "../../parts/dialog.js";
import { FormDialog, SecretText } from "../../parts/forms.js";
import { Loading, useLoaded } from "../../parts/loading.js";
import { fullMoment } from "../../parts/moment.js";
import { call, type Answer } from "../../api/request.js";

type TotpSecret = Answer<"POST /me/totp">;
type TotpStatus = Answer<"GET /me/totp">;

const t = texts({ en, de });

type Step =
  | { name: "password" | "renew" | "remove" }
  | { name: "confirm"; secret: TotpSecret }
  | { name: "codes"; codes: readonly string[] };

/** Codes of an authenticator app, needed beside the password. */
export function Authenticator(): VNode {
  const totp = useLoaded("totp", () => call("GET /me/totp"));
  const [step, setStep] = useState<Step | null>(null);
  return (
    <section class="card" aria-label={t("totp")}>
      <h2>{t("totp")}</h2>
      <p class="help">{t("totp.why")}</p>
      <Loading of={totp}>{(status) => <Status status={status} onStep={setStep} />}</Loading>
      {step !== null && (
        <Steps key={step.name} step={step} setStep={setStep} onChanged={totp.reload} />
      )}
    </section>
  );
}

interface StatusProps {
  status: TotpStatus;
  onStep(step: Step): void;
}

function Status({ status, onStep }: StatusProps): VNode {
  if (!status.enabled) {
    return (
      <div class="actions">
        <button type="button" onClick={() => onStep({ name: "password" })}>
          {t("totp.enable")}
        </button>
      </div>
    );
  }
  return (
    <>
      <p>
        <span class="badge good">{t("totp.enabled")}</span>{" "}
        {status.confirmedAt !== null && <span class="dim">{fullMoment(status.confirmedAt)}</span>}
      </p>
      <p class={status.recoveryCodesLeft < 3 ? "notice warn" : "dim"}>
        {t("totp.left", { n: status.recoveryCodesLeft })}
      </p>
      <div class="actions">
        <button type="button" onClick={() => onStep({ name: "renew" })}>
          {t("totp.renew")}
        </button>
        <button type="button" class="danger" onClick={() => onStep({ name: "remove" })}>
          {t("totp.disable")}
        </button>
      </div>
    </>
  );
}

interface StepsProps {
  step: Step;
  setStep(step: Step | null): void;
  onChanged(): void;
}

/** The dialogs, one after the other. */
function Steps({ step, setStep, onChanged }: StepsProps): VNode {
  const onClose = (): void => setStep(null);
  if (step.name === "confirm") return <Confirm {...step} setStep={setStep} onChanged={onChanged} />;
  if (step.name === "codes") return <Codes codes={step.codes} onClose={onClose} />;
  const { name } = step;
  const run = async (current: string): Promise<Step | null> => {
    if (name === "password")
      return { name: "confirm", secret: await call("POST /me/totp", { body: { current } }) };
    if (name === "renew")
      return {
        name: "codes",
        codes: await call("POST /me/totp/recovery-codes", { body: { current } }).then(
          ({ recoveryCodes }) => recoveryCodes,
        ),
      };
    await call("DELETE /me/totp", { body: { current } });
    done(t("totp.disabled"));
    return null;
  };
  let next: Step | null = null;
  return (
    <FormDialog
      title={t(`totp.${name}.title`)}
      action={t(`totp.${name}.action`)}
      danger={name === "remove"}
      onClose={() => setStep(next)}
      onSubmit={async (form) => {
        next = await run(String(form.get("current")));
        onChanged();
      }}
    >
      <p>{t(`totp.${name}.why`)}</p>
      <CurrentPassword />
    </FormDialog>
  );
}

interface ConfirmProps extends Omit<StepsProps, "step"> {
  secret: TotpSecret;
}

function Confirm({ secret, setStep, onChanged }: ConfirmProps): VNode {
  let next: Step | null = null;
  return (
    <FormDialog
      title={t("totp.confirm.title")}
      action={t("totp.confirm.action")}
      onClose={() => setStep(next)}
      onSubmit={async (form) => {
        next = {
          name: "codes",
          codes: await call("POST /me/totp/confirm", {
            body: { code: String(form.get("code")) },
          }).then(({ recoveryCodes }) => recoveryCodes),
        };
        onChanged();
      }}
    >
      <p>{t("totp.scan")}</p>
      <img
        class="qr"
        src={`data:image/svg+xml,${encodeURIComponent(secret.qr)}`}
        alt={t("totp.qr")}
      />
      <div class="field">
        <span class="help">{t("totp.type")}</span>
        <SecretText label={t("totp.secret")} text={secret.secret} />
      </div>
      <label>
        {t("totp.code")}
        <input
          name="code"
          required
          inputMode="numeric"
          autocomplete="one-time-code"
          maxLength={16}
        />
      </label>
    </FormDialog>
  );
}

interface CodesProps {
  codes: readonly string[];
  onClose(): void;
}

function Codes({ codes, onClose }: CodesProps): VNode {
  return (
    <Dialog title={t("totp.codes.title")} onClose={onClose}>
      <p class="notice warn">{t("totp.codes.why")}</p>
      <ul class="codes" aria-label={t("totp.codes.title")}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <SecretText label={t("totp.codes.copy")} text={codes.join(" ")} />
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          {t("totp.codes.done")}
        </button>
      </div>
    </Dialog>
  );
}

/** The password that confirms a change of the own account. */
export function CurrentPassword(): VNode {
  return (
    <label>
      {t("current")}
      <input type="password" name="current" required autocomplete="current-password" />
    </label>
  );
}

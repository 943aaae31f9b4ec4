import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { testAddress, type AddressTest } from "../../api/settings/redirects.js";
import { Failure } from "../../parts/failure.js";
import { t } from "./redirects-texts.js";

/** Shows where an address leads. */
export function AddressTester(): VNode {
  const [address, setAddress] = useState("");
  const [result, setResult] = useState<AddressTest | null>(null);
  const [error, setError] = useState<unknown>(null);
  const test = async (): Promise<void> => {
    try {
      setResult(await testAddress(address.trim()));
      setError(null);
    } catch (failure) {
      setError(failure);
      setResult(null);
    }
  };
  return (
    <section class="card stack" aria-label={t("test")}>
      <h2>{t("test")}</h2>
      <p class="dim">{t("test.why")}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void test();
        }}
      >
        <label>
          {t("test.address")}
          <input
            required
            maxLength={2048}
            autocomplete="off"
            placeholder="/old-page"
            value={address}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="submit">{t("test.action")}</button>
        </div>
      </form>
      {error !== null && <Failure error={error} />}
      <div role="status">{result !== null && <Way of={result} />}</div>
    </section>
  );
}

function Way({ of: { steps, end, address, sourcePath } }: { of: AddressTest }): VNode {
  const isBad = end === "loop" || end === "nothing";
  return (
    <>
      {steps.length > 0 && (
        <ol>
          {steps.map((step) => (
            <li key={step.from} class="break">
              {t("test.step", step)}
            </li>
          ))}
        </ol>
      )}
      <p class={isBad ? "notice warn break" : "notice break"}>
        {t(`end.${end}`, { address, path: sourcePath ?? "" })}
      </p>
    </>
  );
}

import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { href, navigate } from "../../app/router.js";
import { Loading, useLoaded } from "../../parts/loading.js";
import { t } from "./record-type.js";
import { call } from "../../api/request.js";

/** All types of records; a single one is opened at once. */
export default function RecordTypes(): VNode {
  const types = useLoaded("types", () => call("GET /flex").then(({ items }) => items));
  const [first, ...others] = types.data ?? [];
  const only = others.length === 0 ? first?.name : undefined;
  useEffect(() => {
    if (only !== undefined) navigate(`/records/${only}`, { replace: true });
  }, [only]);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
      </header>
      <Loading of={types}>
        {(items) =>
          items.length === 0 ? (
            <p class="dim">{t("types.none")}</p>
          ) : (
            <ul class="cards plain-list">
              {items.map((type) => (
                <li key={type.name} class="card">
                  <h2>
                    <a href={href(`/records/${type.name}`)} data-screen>
                      {type.title}
                    </a>
                  </h2>
                  {type.description !== "" && <p>{type.description}</p>}
                  <small class="dim">{t("types.fields", { n: type.fields.length })}</small>
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </div>
  );
}

import { hrefOf } from './route.ts';

/** An address that is none of the console's. */
export function Unknown() {
  return (
    <section class="card empty">
      <h1>There is no such page</h1>
      <p>The address is none of the console’s.</p>
      <a class="button" href={hrefOf({ screen: 'overview' })}>
        All surveys
      </a>
    </section>
  );
}

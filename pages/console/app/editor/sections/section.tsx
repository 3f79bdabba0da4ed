import type { ComponentChildren } from 'preact';

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  readonly children: ComponentChildren;
}

/** A part of the form. */
export function Section({ id, title, about, children }: SectionProps) {
  return (
    <section class="card part" aria-labelledby={`part-${id}`}>
      <header>
        <h2 class="part-title" id={`part-${id}`}>
          {title}
        </h2>
        {about !== undefined && <p class="about">{about}</p>}
      </header>
      {children}
    </section>
  );
}

/** The first letters of the first and the last word. */
export const toInitials = (name: string): string => {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.charAt(0).toUpperCase()).join('');
};

/** A person's initials in a circle; the name on hover, and for screen readers where `isNamed`. */
export const Initials = ({ name, isNamed = false }: { name: string; isNamed?: boolean }) => (
  <span class="avatar" title={name} {...(isNamed ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true })}>
    {toInitials(name)}
  </span>
);

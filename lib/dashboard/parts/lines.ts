import { useState } from 'preact/hooks';

/** Each with a key of its own, by which its fields are named: what is typed into one stays when others come and go. */
export type Line<T> = { key: number; value: T };

/** The lines of a form to which some can be added and from which some can be taken. */
export const useLines = <T>(initial: readonly T[]) => {
  const [lines, setLines] = useState<readonly Line<T>[]>(initial.map((value, key) => ({ key, value })));
  const next = Math.max(-1, ...lines.map(({ key }) => key)) + 1;
  return {
    lines,
    add: (value: T) => setLines([...lines, { key: next, value }]),
    remove: (key: number) => setLines(lines.filter((line) => line.key !== key)),
    replace: (key: number, value: T) => setLines(lines.map((line) => (line.key === key ? { key, value } : line))),
    moveUp: (index: number) =>
      setLines(lines.toSpliced(index, 1).toSpliced(index - 1, 0, ...lines.slice(index, index + 1))),
  };
};

import { cardText, findBrand } from './card-text.ts';

/** A card as lists show it: its scheme as a mark, and its last digits. */
export const CardNumber = ({ card }: { card: string }) => {
  const text = cardText(card);
  const brand = findBrand(card);
  if (text === '') return <span class="quiet">–</span>;
  return (
    <span class="card-number">
      {brand && (
        <abbr class="card-brand" title={brand[1]}>
          {brand[2]}
        </abbr>
      )}{' '}
      {brand ? text.slice(brand[1].length + 1) : text}
    </span>
  );
};

import { namesOf } from '#core/kernel/record-of.ts';

/** The texts for payers, in their languages. `{}` is a placeholder: a number of tries, a channel. */
const en = {
  complete: 'Payment complete',
  completeText: 'You can close this page and go back to the shop.',
  failed: 'Payment not made',
  failedText: 'Nothing was charged. Go back to the shop to try again.',
  pending: 'Payment in progress',
  pendingText: 'It is not decided yet. The shop will be told as soon as it is.',
  to: 'To {}',
  cancel: 'Cancel and go back to the shop',
  back: 'Go back to the shop',
  confirmTitle: 'Confirm your payment',
  wrongCode: 'That code is not right. Look at it again, and try once more.',
  oneLeft: 'One try is left.',
  manyLeft: '{} tries are left.',
  resent: 'Another code is on its way to you.',
  testCode: 'Test mode: the right code is 123456.',
  testBanner: 'Test mode: no money moves',
  codeLabel: 'The code you got by {}',
  confirm: 'Confirm',
  resend: 'Send another code',
  stepTitle: 'One more step',
  stepText: 'Your bank wants you to confirm this payment.',
  goOn: 'Go on to confirm',
};

export type PayerWords = Readonly<Record<keyof typeof en, string>>;

const de: PayerWords = {
  complete: 'Zahlung abgeschlossen',
  completeText: 'Sie können diese Seite schließen und zum Shop zurückkehren.',
  failed: 'Zahlung nicht ausgeführt',
  failedText: 'Es wurde nichts abgebucht. Kehren Sie zum Shop zurück, um es erneut zu versuchen.',
  pending: 'Zahlung wird bearbeitet',
  pendingText: 'Das Ergebnis steht noch nicht fest. Der Shop erfährt es, sobald es vorliegt.',
  to: 'An {}',
  cancel: 'Abbrechen und zurück zum Shop',
  back: 'Zurück zum Shop',
  confirmTitle: 'Zahlung bestätigen',
  wrongCode: 'Dieser Code ist nicht richtig. Prüfen Sie ihn und versuchen Sie es noch einmal.',
  oneLeft: 'Sie haben noch einen Versuch.',
  manyLeft: 'Sie haben noch {} Versuche.',
  resent: 'Ein neuer Code ist unterwegs zu Ihnen.',
  testCode: 'Testmodus: Der richtige Code ist 123456.',
  testBanner: 'Testmodus: Es fließt kein Geld',
  codeLabel: 'Der Code, den Sie per {} erhalten haben',
  confirm: 'Bestätigen',
  resend: 'Neuen Code senden',
  stepTitle: 'Noch ein Schritt',
  stepText: 'Ihre Bank bittet Sie, diese Zahlung zu bestätigen.',
  goOn: 'Weiter zur Bestätigung',
};

const fr: PayerWords = {
  complete: 'Paiement effectué',
  completeText: 'Vous pouvez fermer cette page et retourner à la boutique.',
  failed: 'Paiement non effectué',
  failedText: 'Rien n’a été débité. Retournez à la boutique pour réessayer.',
  pending: 'Paiement en cours',
  pendingText: 'Le résultat n’est pas encore connu. La boutique en sera informée dès qu’il le sera.',
  to: 'À {}',
  cancel: 'Annuler et retourner à la boutique',
  back: 'Retourner à la boutique',
  confirmTitle: 'Confirmez votre paiement',
  wrongCode: 'Ce code n’est pas correct. Vérifiez-le et réessayez.',
  oneLeft: 'Il vous reste un essai.',
  manyLeft: 'Il vous reste {} essais.',
  resent: 'Un nouveau code vous est envoyé.',
  testCode: 'Mode test : le bon code est 123456.',
  testBanner: 'Mode test : aucun paiement réel',
  codeLabel: 'Le code que vous avez reçu par {}',
  confirm: 'Confirmer',
  resend: 'Envoyer un nouveau code',
  stepTitle: 'Encore une étape',
  stepText: 'Votre banque vous demande de confirmer ce paiement.',
  goOn: 'Continuer vers la confirmation',
};

const es: PayerWords = {
  complete: 'Pago completado',
  completeText: 'Puede cerrar esta página y volver a la tienda.',
  failed: 'Pago no realizado',
  failedText: 'No se ha cobrado nada. Vuelva a la tienda para intentarlo de nuevo.',
  pending: 'Pago en curso',
  pendingText: 'Aún no se conoce el resultado. La tienda lo sabrá en cuanto esté disponible.',
  to: 'A {}',
  cancel: 'Cancelar y volver a la tienda',
  back: 'Volver a la tienda',
  confirmTitle: 'Confirme su pago',
  wrongCode: 'El código no es correcto. Compruébelo e inténtelo de nuevo.',
  oneLeft: 'Le queda un intento.',
  manyLeft: 'Le quedan {} intentos.',
  resent: 'Le hemos enviado otro código.',
  testCode: 'Modo de prueba: el código correcto es 123456.',
  testBanner: 'Modo de prueba: no se mueve dinero',
  codeLabel: 'El código que ha recibido por {}',
  confirm: 'Confirmar',
  resend: 'Enviar otro código',
  stepTitle: 'Un paso más',
  stepText: 'Su banco le pide que confirme este pago.',
  goOn: 'Continuar para confirmar',
};

const pt: PayerWords = {
  complete: 'Pagamento concluído',
  completeText: 'Pode fechar esta página e voltar à loja.',
  failed: 'Pagamento não efetuado',
  failedText: 'Nada foi cobrado. Volte à loja para tentar novamente.',
  pending: 'Pagamento em curso',
  pendingText: 'O resultado ainda não é conhecido. A loja será informada assim que o for.',
  to: 'Para {}',
  cancel: 'Cancelar e voltar à loja',
  back: 'Voltar à loja',
  confirmTitle: 'Confirme o seu pagamento',
  wrongCode: 'O código não está correto. Verifique-o e tente novamente.',
  oneLeft: 'Resta uma tentativa.',
  manyLeft: 'Restam {} tentativas.',
  resent: 'Foi-lhe enviado outro código.',
  testCode: 'Modo de teste: o código certo é 123456.',
  testBanner: 'Modo de teste: nenhum dinheiro é movimentado',
  codeLabel: 'O código que recebeu por {}',
  confirm: 'Confirmar',
  resend: 'Enviar outro código',
  stepTitle: 'Mais um passo',
  stepText: 'O seu banco pede que confirme este pagamento.',
  goOn: 'Continuar para confirmar',
};

const languages = { en, de, fr, es, pt } as const;
export type Language = keyof typeof languages;
export const payerLanguages = namesOf(languages);

export const wordsIn = (language: Language): PayerWords => languages[language];

/** The sentence with a value where it has its place. */
export const fillIn = (sentence: string, value: string): string => sentence.replace('{}', () => value);

/** The best of our languages that an `accept-language` header takes; English if it takes none. `de-AT` is German. */
export const languageFor = (header: string | undefined): Language => {
  const wanted = (header ?? '').split(',').flatMap((part, place) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1);
    const language = payerLanguages.find((one) => one === tag.split('-')[0]);
    return language && weight > 0 ? [{ language, weight, place }] : [];
  });
  wanted.sort((left, right) => right.weight - left.weight || left.place - right.place);
  return wanted[0]?.language ?? 'en';
};

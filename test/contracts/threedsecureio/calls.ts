import { anyOf, atLeast, type Contract, fields, list, text } from '../schema.ts';

const json = { apikey: /./, 'content-type': /^application\/json; charset=utf-8$/ };
const erro = atLeast({
  ...{ messageType: anyOf('Erro'), errorCode: text(/^\d{3}$/), errorComponent: anyOf('A', 'C', 'D', 'S') },
  ...{ errorDescription: text(2048), errorDetail: text(2048) },
});
const failed = { 401: {}, default: erro };
const uuid = text(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
const version = anyOf('2.1.0', '2.2.0', '2.3.1');
const transStatus = anyOf('Y', 'N', 'U', 'A', 'C', 'D', 'R', 'I');

/** The calls of 3dsecure.io's 3-D Secure server; the fields of an AReq are those of `areq.ts`, by which the stand-in refuses. */
export const threeDSecureIoCalls: Contract = {
  source: 'https://docs.3dsecure.io, from https://github.com/clearhaus/3DSv2-api-documentation',
  version: '2.2.0 and 2.3.1',
  date: '2026-05-12',
  checked: '2026-11-28',
  calls: {
    'POST /preauth': {
      headers: json,
      body: fields({ acctNumber: text(/^\d{13,19}$/) }),
      answers: {
        200: atLeast({ messageType: anyOf('CRD'), threeDSServerTransID: uuid, acsInfoInd: list(text(2)) }),
        ...failed,
      },
    },
    'POST /auth': {
      headers: json,
      body: { type: 'object' },
      answers: {
        200: atLeast({
          ...{ messageType: anyOf('ARes'), messageVersion: version, threeDSServerTransID: uuid, transStatus },
          ...{ acsTransID: uuid, dsTransID: uuid, acsReferenceNumber: text(32), dsReferenceNumber: text(32) },
        }),
        ...failed,
      },
    },
    'POST /postauth': {
      headers: json,
      body: fields({ threeDSServerTransID: uuid }),
      answers: {
        200: atLeast({
          ...{ messageType: anyOf('RReq'), messageVersion: version, threeDSServerTransID: uuid, transStatus },
          ...{ interactionCounter: text(/^\d\d$/), messageCategory: anyOf('01', '02', '80') },
        }),
        ...failed,
      },
    },
  },
};

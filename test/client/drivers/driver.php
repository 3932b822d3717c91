<?php

use Forewarn\{Client, ForewarnConnectionException, ForewarnException};

spl_autoload_register(fn (string $name) => require getenv('PACKAGE') . '/src/' . strtr(substr($name, 9), '\\', '/') . '.php');

function run(array $case): array
{
    $user = $case['user'] ?? null;
    $client = new Client(
        $case['url'],
        token: $case['token'] ?? null,
        user: $user === null ? null : [$user['username'], $user['password']],
        rcode: $case['rcode'] ?? null,
        attempts: $case['attempts'] ?? 4,
        pause: 0.001,
        timeout: $case['timeout'] ?? 30,
    );
    $given = array_filter(['path' => $case['path'] ?? null, 'body' => $case['body'] ?? null, 'idempotencyKey' => $case['key'] ?? null], fn ($one) => $one !== null);
    try {
        for ($time = 0; $time < ($case['times'] ?? 1); $time += 1) {
            $answer = isset($case['method'])
                ? $client->{$case['method'][0]}()->{$case['method'][1]}(...$given)
                : $client->call($case['name'], ...$given, ...(isset($case['headers']) ? ['headers' => $case['headers']] : []));
        }
        return ['ok' => (object) $answer];
    } catch (ForewarnConnectionException) {
        return ['connection' => true];
    } catch (ForewarnException $refusal) {
        return ['refused' => [
            'status' => $refusal->status,
            'code' => $refusal->errorCode,
            'details' => $refusal->details,
            'doc' => $refusal->doc,
            'requestId' => $refusal->requestId,
        ]];
    }
}

echo json_encode(array_map(run(...), json_decode(getenv('CASES'), true)));

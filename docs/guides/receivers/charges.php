<?php
// A service that lets Forewarn find and refund charges, in PHP, without dependencies. Replace `charges` by your processor.
//   SIGNING_SECRET=whsec_… STATE_FILE=/tmp/charges.json php -S 127.0.0.1:8080 charges.php
$key = base64_decode(substr(getenv('SIGNING_SECRET') ?: '', strlen('whsec_')), true);
if ($key === false || $key === '') {
    throw new RuntimeException('SIGNING_SECRET must be the secret of the connection, whsec_…');
}

/** Checks that Forewarn sent a call: it is signed with your secret, over exactly these bytes, within five minutes. */
function isGenuine(string $key, string $body): bool
{
    $seconds = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($seconds) || abs(time() - (int) $seconds) > 300) {
        return false;
    }
    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . ".$seconds.$body";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

// Your processor's charges, and your refunds by idempotency key. Keep the refunds in your database.
$file = getenv('STATE_FILE') ?: sys_get_temp_dir() . '/forewarn-charges.json';
$state = is_file($file) ? json_decode(file_get_contents($file), true) : ['refunds' => [], 'charges' => [[
    'reference' => 'ch_1', 'type' => 'sale', 'date' => gmdate('Y-m-d\TH:i:s\Z'), 'amount' => '45.20', 'currency' => 'USD',
    'card' => ['first6' => '411111', 'last4' => '1111', 'brand' => 'visa'], 'auth_code' => '123ABC',
    'captured' => '45.20', 'refunded' => '0.00', 'charged_back' => false, 'settled' => true, 'subscription' => null,
]]];

function cents(string $amount): int
{
    return (int) round((float) $amount * 100);
}

function search(array $state, array $sent): array
{
    $fits = fn (array $one): bool => isset($sent['reference'])
        ? $one['reference'] === $sent['reference']
        : $one['card']['last4'] === $sent['card']['last4'] && in_array($sent['amount'], [null, $one['amount']], true);
    return ['charges' => array_values(array_filter($state['charges'], $fits))];
}

/** Optional, for imports of your history. With many charges, return a page and the cursor of the next one. */
function listCharges(array $state, array $sent): array
{
    $fits = fn (array $one): bool => $one['date'] >= $sent['from'] && $one['date'] < $sent['to'];
    return ['charges' => array_values(array_filter($state['charges'], $fits)), 'next_cursor' => null];
}

function refund(array &$state, array $sent): ?array
{
    if (isset($state['refunds'][$sent['idempotency_key']])) {
        return $state['refunds'][$sent['idempotency_key']];
    }
    foreach ($state['charges'] as &$charge) {
        if ($charge['reference'] !== $sent['reference']) {
            continue;
        }
        if (cents($sent['amount']) > cents($charge['captured']) - cents($charge['refunded'])) {
            return ['status' => 'failed', 'failure' => 'more than is left of the charge'];
        }
        // Refund at your processor here, with the same idempotency key. Return `pending` if it is not done yet.
        $charge['refunded'] = number_format((cents($charge['refunded']) + cents($sent['amount'])) / 100, 2, '.', '');
        $done = ['status' => 'succeeded', 'refund_reference' => 're_' . (count($state['refunds']) + 1), 'failure' => null];
        return $state['refunds'][$sent['idempotency_key']] = $done;
    }
    return null;
}

$body = file_get_contents('php://input');
if (!isGenuine($key, $body)) {
    http_response_code(401);
    return;
}
$sent = json_decode($body, true);
$answer = match (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    '/search' => search($state, $sent),
    '/charges' => listCharges($state, $sent),
    '/refund' => refund($state, $sent),
    '/refund-state' => $state['refunds'][$sent['idempotency_key']] ?? null,
    default => null,
};
file_put_contents($file, json_encode($state), LOCK_EX);
http_response_code($answer === null ? 404 : 200);
header('content-type: application/json');
echo json_encode($answer ?? new stdClass());

<?php

declare(strict_types=1);

namespace Forewarn;

/** No answer came, or one that cannot be read. Whether the service did what was asked is not known. */
final class ForewarnConnectionException extends \RuntimeException
{
}

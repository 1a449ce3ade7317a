# What is not simulated, and would be compiled to something else or fail with a riddle, is refused
# with its line.
package RewriteCuda::Refusals;
use strict;
use warnings;
use Exporter 'import';
use RewriteCuda::Ptx;
use RewriteCuda::Tokens;

our @EXPORT = qw(refuse_unsupported);

my $texture = qr{^(?:tex(?:1D|2D|3D|Cubemap)\w*|surf(?:1D|2D|3D)\w*|cuda(?:Texture|Surface)Object_t|cudaCreate(?:Texture|Surface)Object)$};
my $ptx = qr{^"[\s\{]*[a-z]\w*(?:[.:]+\w+)+\s};

sub refuse_unsupported {
    my ($text, $path) = @_;
    refuse_headers($text, $path);
    return unless $text =~ /tex|surf|asm|__pipeline_arrive_on/;
    my $line = 1;
    my $in_assembly = 0;    # 1 after `asm`, 2 after its parenthesis
    my @words = tokens($text);
    for my $i (0 .. $#words) {
        my $word = $words[$i];
        refuse($path, $line, "textures and surfaces are not simulated ('$word')") if $word =~ $texture;
        refuse($path, $line, "barriers in memory are not simulated ('$word')") if $word eq '__pipeline_arrive_on';
        refuse($path, $line, 'inline PTX is not simulated') if $in_assembly == 2 && $word =~ $ptx;
        if    ($word =~ /^(?:asm|__asm__|__asm)$/) { $in_assembly = ptx_call(\@words, $i) ? 0 : 1 }
        elsif ($in_assembly && $word eq '(')       { $in_assembly = 2 }
        elsif (!is_blank($word) && $word !~ /^(?:volatile|__volatile__)$/) { $in_assembly = 0 }
        $line += $word =~ tr/\n//;
    }
}

sub refuse_headers {
    my ($text, $path) = @_;
    while ($text =~ m{^[ \t]*\#[ \t]*include[ \t]*<(cuda/(?:pipeline|barrier))>}mg) {
        my $line = 1 + (substr($text, 0, $-[0]) =~ tr/\n//);
        refuse($path, $line, "<$1> is not simulated; <cuda_pipeline.h> is");
    }
}

sub refuse {
    my ($path, $line, $what) = @_;
    die "cudasim-cc: error: $path:$line: $what\n";
}

1;
